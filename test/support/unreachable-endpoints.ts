/** The body of a new connection whose hosts do not exist, for tests that never call the third party. */
export const unreachableEndpoints = (instanceName: string) => ({
  organization_code: 'DEMO',
  connector: 'endpoint-detection',
  instance_name: instanceName,
  settings: { auth_url: 'https://login.invalid', api_host: 'https://api.invalid', scope_resource: 'https://api.invalid' },
  credentials: { tenant_id: 'tenant', client_id: 'client', client_secret: 'secret' },
});
