import type { StandInRecord } from '../../../connectors/endpoint-detection/stand-in-data.js';

/** A person's conclusion, in the words of the endpoint platform and the incident source. */
export const CONCLUDED = {
  malware: { status: 'Resolved', classification: 'TruePositive', determination: 'Malware' },
  phishing: { status: 'Resolved', classification: 'TruePositive', determination: 'Phishing' },
  compromisedAccount: { status: 'Resolved', classification: 'TruePositive', determination: 'CompromisedUser' },
  falsePositive: { status: 'Resolved', classification: 'FalsePositive', determination: 'NotMalicious' },
  securityTest: { status: 'Resolved', classification: 'InformationalExpectedActivity', determination: 'SecurityTesting' },
  expected: { status: 'Resolved', classification: 'InformationalExpectedActivity', determination: 'LineOfBusinessApplication' },
  /** Confirmed, and still being worked on. */
  confirmed: { status: 'InProgress', classification: 'TruePositive', determination: 'MultiStagedAttack' },
} as const;
export type Conclusion = (typeof CONCLUDED)[keyof typeof CONCLUDED];

export const file = (sha256: string, fileName = 'setup.exe', sha1: string | null = null): StandInRecord => ({
  entityType: 'File',
  sha256,
  sha1,
  fileName,
  filePath: 'C:\\ProgramData',
});
export const ip = (ipAddress: string): StandInRecord => ({ entityType: 'Ip', ipAddress });
export const link = (url: string): StandInRecord => ({ entityType: 'Url', url });
