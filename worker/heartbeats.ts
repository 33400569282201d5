import { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';

const BEATS_PER_TIMEOUT = 4;

/** Without heartbeats, the death of a worker is noticed only when the time limit of its activity ends. */
export const sendHeartbeats: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    const context = Context.current();
    const { heartbeatTimeoutMs } = context.info;
    if (heartbeatTimeoutMs === undefined) return next(input);
    const beating = setInterval(() => context.heartbeat(), heartbeatTimeoutMs / BEATS_PER_TIMEOUT);
    try {
      return await next(input);
    } finally {
      clearInterval(beating);
    }
  },
};
