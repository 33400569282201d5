/** A table that can contain personal data, and how its rows lead to their organization. Some rows belong to none. */
export interface PersonalTable {
  readonly name: string;
  readonly scope: 'organization' | 'alert' | 'case' | 'connection' | 'proposal' | 'playbook' | 'user';
  readonly text?: readonly string[];
  readonly json?: readonly string[];
  /** Names of `text` with the column that leads to the user: a replaced name no longer has one. */
  readonly people?: Readonly<Record<string, string>>;
  readonly lists?: readonly string[];
  /** Files: searched as they are, so that a compressed or encoded one keeps its secrets. */
  readonly bytes?: readonly string[];
  /**
   * `replace`: the text goes, the row stays. `delete`: the row is a copy, or the value is its key. `report`: only an admin can change
   * it without breaking a connection.
   */
  readonly by: 'replace' | 'delete' | 'report';
  /** Rows that someone still works with; an erasure waits for their end. */
  readonly inUse?: string;
  /** The column that leads to the case, whose legal hold forbids the erasure. */
  readonly leadsToCase?: 'alert_uuid' | 'case_uuid' | 'proposal_uuid' | 'subject_uuid' | 'target';
}

/** Tables without personal data: keys, numbers, sealed secrets and compiled code. */
export const TABLES_WITHOUT_PERSONAL_DATA = [
  'alert_sequences',
  'alert_texts',
  'case_alerts',
  'case_clocks',
  'case_sequences',
  'case_visits',
  'chat_link_codes',
  'connection_secrets',
  'erasures',
  'inbox_entries',
  'inbox_preferences',
  'key_uuids',
  'memberships',
  'notification_messages',
  'notification_secrets',
  'notification_subjects',
  'provider_sign_ins',
  'provider_tokens',
  'rate_limit_buckets',
  'retention_rules',
  'search_blocks',
  'sla_policies',
  'user_sessions',
  'workflow_bundles',
  // Shared by all organizations.
  'organizations',
  'providers',
] as const;

export const PERSONAL_TABLES: readonly PersonalTable[] = [
  {
    name: 'alerts',
    scope: 'organization',
    leadsToCase: 'alert_uuid',
    text: ['alert_type', 'alert_type_key', 'alert_content', 'playbook_reason'],
    by: 'replace',
    inUse: 'investigation_status not in (15, 20) or dispatched_no < investigation_no',
  },
  { name: 'alert_entities', scope: 'organization', text: ['value'], leadsToCase: 'alert_uuid', by: 'delete' },
  { name: 'entity_values', scope: 'organization', text: ['value'], by: 'delete' },
  { name: 'proven_names', scope: 'organization', text: ['name', 'short', 'full'], by: 'delete' },
  { name: 'idempotency_keys', scope: 'alert', text: ['key'], leadsToCase: 'alert_uuid', by: 'delete' },
  { name: 'investigations', scope: 'alert', text: ['summary'], json: ['reasons'], leadsToCase: 'alert_uuid', by: 'replace' },
  { name: 'evidence', scope: 'alert', text: ['step', 'title', 'reason'], json: ['source'], leadsToCase: 'alert_uuid', by: 'replace' },
  { name: 'follow_ups', scope: 'alert', text: ['reason', 'outcome'], json: ['waits_for'], leadsToCase: 'alert_uuid', by: 'replace' },
  {
    name: 'cases',
    scope: 'organization',
    text: ['title', 'summary', 'assignee', 'analyst_verdict_reason'],
    people: { assignee: 'assignee_uuid' },
    json: ['reasons'],
    leadsToCase: 'case_uuid',
    by: 'replace',
  },
  { name: 'case_tags', scope: 'case', text: ['tag'], leadsToCase: 'case_uuid', by: 'delete' },
  { name: 'case_timeline', scope: 'case', text: ['by', 'text'], people: { by: 'by_uuid' }, leadsToCase: 'case_uuid', by: 'replace' },
  { name: 'case_mentions', scope: 'case', text: ['name'], leadsToCase: 'case_uuid', by: 'replace' },
  {
    name: 'case_tasks',
    scope: 'case',
    text: ['title', 'created_by', 'done_by'],
    people: { created_by: 'created_by_uuid', done_by: 'done_by_uuid' },
    leadsToCase: 'case_uuid',
    by: 'replace',
  },
  // A file with a part of it removed would not be the same evidence.
  { name: 'case_attachments', scope: 'case', text: ['name', 'added_by'], bytes: ['content'], leadsToCase: 'case_uuid', by: 'delete' },
  { name: 'task_templates', scope: 'organization', text: ['alert_type', 'changed_by'], lists: ['tasks'], by: 'delete' },
  { name: 'legal_holds', scope: 'organization', text: ['reason', 'placed_by'], people: { placed_by: 'placed_by_uuid' }, by: 'replace' },
  {
    name: 'skill_results',
    scope: 'organization',
    leadsToCase: 'alert_uuid',
    json: ['input', 'output', 'error'],
    by: 'replace',
    inUse: "operation_key is not null and status = 'started'",
  },
  {
    name: 'skill_runs',
    scope: 'organization',
    text: ['asked_by', 'decided_by'],
    people: { asked_by: 'asked_by_user_uuid' },
    json: ['input', 'assets', 'error'],
    by: 'replace',
    inUse: 'ended_at is null',
  },
  {
    name: 'proposals',
    scope: 'organization',
    leadsToCase: 'alert_uuid',
    text: ['requested_by', 'reason', 'held_because', 'outcome'],
    people: { requested_by: 'requested_by_user_uuid' },
    json: ['input', 'assets', 'error'],
    by: 'replace',
    inUse: 'ended_at is null',
  },
  {
    name: 'proposal_decisions',
    scope: 'proposal',
    text: ['by', 'reason'],
    people: { by: 'by_uuid' },
    leadsToCase: 'proposal_uuid',
    by: 'replace',
  },
  { name: 'protected_assets', scope: 'organization', text: ['value', 'reason', 'created_by'], by: 'delete' },
  {
    name: 'response_rules',
    scope: 'organization',
    text: ['stopped_by', 'stop_reason'],
    people: { stopped_by: 'stopped_by_uuid' },
    by: 'replace',
  },
  { name: 'rule_changes', scope: 'organization', text: ['asked_by'], people: { asked_by: 'asked_by_user_uuid' }, by: 'replace' },
  { name: 'organization_knowledge', scope: 'organization', text: ['value', 'note', 'created_by'], by: 'delete' },
  { name: 'shared_values', scope: 'organization', text: ['value'], by: 'delete' },
  { name: 'playbooks', scope: 'organization', text: ['name'], by: 'replace' },
  { name: 'playbook_plans', scope: 'playbook', text: ['author'], people: { author: 'author_uuid' }, json: ['plan'], by: 'replace' },
  { name: 'playbook_alert_types', scope: 'organization', text: ['alert_type', 'alert_type_key'], by: 'replace' },
  {
    name: 'third_party_records',
    scope: 'organization',
    text: ['record_id', 'title', 'conclusion', 'state', 'merged_into'],
    lists: ['also_known_as', 'values'],
    by: 'delete',
  },
  { name: 'record_values', scope: 'connection', text: ['value', 'record_id'], by: 'delete' },
  { name: 'record_copies', scope: 'connection', text: ['last_error'], by: 'replace' },
  { name: 'copied_items', scope: 'connection', text: ['item_id'], json: ['item'], by: 'delete' },
  { name: 'copied_item_keys', scope: 'connection', text: ['key', 'item_id'], by: 'delete' },
  { name: 'list_copies', scope: 'connection', text: ['last_error'], by: 'replace' },
  { name: 'stream_events', scope: 'connection', text: ['event_key'], json: ['event'], by: 'delete' },
  { name: 'source_items', scope: 'connection', text: ['source_id', 'revision'], by: 'replace' },
  { name: 'source_watermarks', scope: 'connection', text: ['last_error'], by: 'replace' },
  { name: 'connection_refusals', scope: 'connection', text: ['reason', 'resolution'], by: 'replace' },
  { name: 'connection_waiters', scope: 'connection', text: ['reason'], by: 'replace', inUse: 'true' },
  { name: 'agent_steps', scope: 'connection', json: ['request', 'answer'], by: 'replace', inUse: 'true' },
  {
    name: 'connections',
    scope: 'organization',
    text: ['instance_name', 'description', 'state_reason', 'block_reason'],
    json: ['settings', 'plain_credentials'],
    by: 'report',
  },
  {
    name: 'credential_links',
    scope: 'organization',
    text: ['created_by'],
    people: { created_by: 'created_by_uuid' },
    json: ['new_connection'],
    by: 'replace',
    inUse: 'used_at is null and revoked_at is null and expires_at > now()',
  },
  { name: 'remote_agents', scope: 'organization', text: ['name'], by: 'report' },
  { name: 'notification_events', scope: 'organization', json: ['data'], leadsToCase: 'subject_uuid', by: 'replace' },
  { name: 'notification_deliveries', scope: 'organization', text: ['last_error'], by: 'replace' },
  { name: 'notification_rules', scope: 'organization', text: ['name', 'assignee'], people: { assignee: 'assignee_uuid' }, by: 'replace' },
  { name: 'notification_channels', scope: 'organization', text: ['name'], json: ['settings'], by: 'report' },
  { name: 'saved_views', scope: 'organization', text: ['name'], json: ['filters'], by: 'replace' },
  { name: 'api_keys', scope: 'organization', text: ['name', 'service'], by: 'replace' },
  { name: 'claim_mappings', scope: 'organization', text: ['value'], by: 'report' },
  { name: 'chat_identities', scope: 'user', text: ['chat_user_id', 'chat_user_name'], by: 'delete' },
  { name: 'users', scope: 'user', text: ['name', 'email', 'subject'], by: 'replace', inUse: 'deactivated_at is null' },
  {
    name: 'invitations',
    scope: 'organization',
    text: ['email', 'invited_by'],
    people: { invited_by: 'invited_by_uuid' },
    by: 'replace',
    inUse: 'ended_at is null and expires_at > now()',
  },
  {
    name: 'audit_log',
    scope: 'organization',
    text: ['principal_name', 'target'],
    json: ['details'],
    leadsToCase: 'target',
    by: 'replace',
  },
];
