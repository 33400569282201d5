import { isGrpcServiceError } from '@temporalio/client';

/** The status codes of gRPC that we handle: https://grpc.io/docs/guides/status-codes/ */
export const GRPC_STATUS = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  failedPrecondition: 9,
  unimplemented: 12,
} as const;

export function failedWithStatus(error: unknown, status: number): boolean {
  return isGrpcServiceError(error) && error.code === status;
}
