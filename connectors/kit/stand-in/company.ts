/**
 * Harbour & Reed, a shipping agent with offices in Rotterdam and Lisbon. All stand-ins answer about this company, so that
 * their answers agree.
 */
export const COMPANY = {
  name: 'Harbour & Reed',
  domain: 'harbour-reed.example',
  tenantId: '3f6c1b52-9a0e-4d57-8a7e-2f1f0c6f4a11',
} as const;

export interface Person {
  readonly id: string;
  readonly account: string;
  readonly email: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly office: string;
  readonly isAdmin: boolean;
}

export const PEOPLE = [
  {
    id: '5b0c2a10-0001-4c1e-9d10-000000000001',
    account: 'dana.vries',
    email: 'dana.vries@harbour-reed.example',
    givenName: 'Dana',
    familyName: 'de Vries',
    office: 'Rotterdam',
    isAdmin: false,
  },
  {
    id: '5b0c2a10-0002-4c1e-9d10-000000000002',
    account: 'rui.matos',
    email: 'rui.matos@harbour-reed.example',
    givenName: 'Rui',
    familyName: 'Matos',
    office: 'Lisbon',
    isAdmin: false,
  },
  {
    id: '5b0c2a10-0003-4c1e-9d10-000000000003',
    account: 'ines.prado',
    email: 'ines.prado@harbour-reed.example',
    givenName: 'Inês',
    familyName: 'Prado',
    office: 'Lisbon',
    isAdmin: false,
  },
  {
    id: '5b0c2a10-0004-4c1e-9d10-000000000004',
    account: 'joost.bakker',
    email: 'joost.bakker@harbour-reed.example',
    givenName: 'Joost',
    familyName: 'Bakker',
    office: 'Rotterdam',
    isAdmin: true,
  },
  {
    id: '5b0c2a10-0005-4c1e-9d10-000000000005',
    account: 'mila.novak',
    email: 'mila.novak@harbour-reed.example',
    givenName: 'Mila',
    familyName: 'Novák',
    office: 'Rotterdam',
    isAdmin: false,
  },
] as const satisfies readonly Person[];

export interface Computer {
  /** The endpoint platform's id, 40 hex digits. Incidents also use it. */
  readonly machineId: string;
  /** The malware platform's id of the same computer. */
  readonly connectorGuid: string;
  readonly name: string;
  readonly dnsName: string;
  readonly internalIp: string;
  readonly externalIp: string;
  readonly user: string;
  readonly os: string;
}

export const COMPUTERS = [
  {
    machineId: '1e5bc9d7e413ddd7902c2932e418702b84d0cc07',
    connectorGuid: 'ad29d359-dac9-4940-9c7e-c50e6d32ee6f',
    name: 'hr-ws-014',
    dnsName: 'hr-ws-014.harbour-reed.example',
    internalIp: '10.20.4.14',
    externalIp: '198.51.100.24',
    user: 'dana.vries',
    os: 'Windows11',
  },
  {
    machineId: '2f6bc9d7e413ddd7902c2932e418702b84d0cc18',
    connectorGuid: 'be3ae46a-ebda-4a51-8d8f-d61f7e43ff70',
    name: 'hr-ws-022',
    dnsName: 'hr-ws-022.harbour-reed.example',
    internalIp: '10.20.4.22',
    externalIp: '198.51.100.24',
    user: 'rui.matos',
    os: 'Windows11',
  },
  {
    machineId: '3a7cd9e8f524eee8a13d3a43f529813c95e1dd29',
    connectorGuid: 'cf4bf57b-fceb-4b62-9e90-e7208f540081',
    name: 'hr-srv-files',
    dnsName: 'hr-srv-files.harbour-reed.example',
    internalIp: '10.20.1.5',
    externalIp: '198.51.100.25',
    user: 'joost.bakker',
    os: 'WindowsServer2022',
  },
  {
    machineId: '4b8deaf9a635fff9b24e4b54a63a924da6f2ee3a',
    connectorGuid: 'd05c068c-0dfc-4c73-8fa1-f8319065119a',
    name: 'hr-mac-03',
    dnsName: 'hr-mac-03.harbour-reed.example',
    internalIp: '10.20.4.33',
    externalIp: '198.51.100.24',
    user: 'ines.prado',
    os: 'macOS',
  },
] as const satisfies readonly Computer[];

/** The indicators of the attack. The threat intelligence stand-in knows each. */
export const INDICATORS = {
  maliciousIp: '203.0.113.66',
  benignIp: '192.0.2.10',
  maliciousDomain: 'parcel-track-login.example',
  maliciousUrl: 'https://parcel-track-login.example/verify',
  benignDomain: 'parcel-service.example',
  benignUrl: 'https://parcel-service.example/newsletter',
  malwareSha256: '94d8a3b6f0c1e2d3f4a5b6c7d8e9f0a1b2c3d4e5f60718293a4b5c6d7e8f9012',
  benignSha256: '11aa22bb33cc44dd55ee66ff7700881199aa22bb33cc44dd55ee66ff77008811',
  exploitedCve: 'CVE-2024-3400',
  quietCve: 'CVE-2023-0001',
} as const;
