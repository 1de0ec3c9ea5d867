import type { ColumnType, Generated } from 'kysely'

/** The tables as migrations/*.sql make them; a test compares this file with the catalog. */

/** Read as parsed JSON, written as its text: `JSON.stringify` it at the call. */
type Json<T> = ColumnType<T, string, string>
type JsonWithDefault<T> = ColumnType<T, string | undefined, string>

export type InstanceTable = {
  id: Generated<boolean>
  system_identifier: string
  timeline: number
  alive_at: Date
  held_since: Date | null
  doubted: Generated<boolean>
  zone_data: Generated<string>
}

export type PersonTable = {
  id: string
  email: string
  password_hash: string
  first_name: string
  last_name: string
  picture_id: string | null
  pending_email: string | null
  signup_invite_id: string | null
  totp_sealed: Buffer | null
  totp_key_id: string | null
  totp_confirmed_at: Date | null
  totp_pending_sealed: Buffer | null
  totp_pending_key_id: string | null
  totp_pending_at: Date | null
  totp_last_step: number | null
  confirmed_at: Date | null
  setup_completed: Generated<boolean>
  setup_features: Generated<string[]>
  last_org_id: string | null
  last_project_id: string | null
  created_at: Date
}

export type PersonPictureTable = {
  id: string
  person_id: string
  bytes: Buffer
  created_at: Date
}

export type RecoveryCodeTable = {
  person_id: string
  code_hash: Buffer
  used_at: Date | null
}

export type LoginChallengeTable = {
  token_hash: Buffer
  person_id: string
  expires_at: Date
  attempts: Generated<number>
}

export type PasskeyTable = {
  id: string
  person_id: string
  credential_id: Buffer
  public_key: Buffer
  counter: number
  transports: Generated<string[]>
  name: string
  created_at: Date
  last_used_at: Date | null
}

export type PasskeyChallengeTable = {
  challenge_hash: Buffer
  person_id: string | null
  expires_at: Date
}

export type NoticePreferenceTable = {
  person_id: string
  topic: string
  in_app: boolean
  mail: boolean
}

export type SessionTable = {
  id: string
  token_hash: Buffer
  person_id: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  client: Generated<string>
  second_factor: Generated<boolean>
}

export type VerificationCodeTable = {
  person_id: string
  code_hash: Buffer
  email: string
  expires_at: Date
  attempts: Generated<number>
  issued_at: Date
}

export type ResetLinkTable = {
  token_hash: Buffer
  person_id: string
  expires_at: Date
  used_at: Date | null
}

export type HumanSolutionTable = {
  solution_hash: Buffer
  expires_at: Date
}

export type BudgetTable = {
  key: string
  window_ends_at: Date
  used: Generated<number>
  closed_until: Date | null
}

export type OrganizationTable = {
  org_id: string
  name: string
  org_type: string
  org_size: string
  created_at: Date
  created_by: string
  deletes_at: Generated<Date | null>
  requires_second_factor: Generated<boolean>
  billing_details: unknown
}

export type PlanTable = {
  org_id: string
  plan_id: string
  status: string
  addon_quantity: Generated<number>
  trial_ends_at: Date | null
  changed_at: Date
}

export type SubscriptionTable = {
  org_id: string
  id: string
  provider: string
  version: Generated<number>
  billing_interval: string | null
  anchor: Date | null
  period_start: Date | null
  period_end: Date | null
  canceled_at: Date | null
  credits: Generated<unknown>
  paid_items: Generated<unknown>
  planned: unknown
  renews: unknown
  overdue: unknown
  overdue_transaction: string | null
  due_at: Date | null
  payment_method: unknown
  customer_id: string | null
  event_at: Date | null
  ends_with_org: Generated<boolean>
  changed_at: Date
}

export type BillingTransactionTable = {
  org_id: string
  id: string
  provider: string
  kind: string
  status: string
  invoice_number: string | null
  wanted: unknown
  items: unknown
  currency_code: string
  tax_rate: number
  subtotal: number
  tax: number
  credit: number
  grand_total: number
  payment_method: unknown
  person_id: string | null
  created_at: Date
  occurred_at: Date
  event_at: Date | null
  surplus: Generated<boolean>
  service_from: Date | null
  service_to: Date | null
  refers_to: Generated<string[]>
  seller: unknown
  buyer: unknown
}

export type PendingChangeTable = {
  org_id: string
  person_id: string
  kind: string
  subscription_id: string
  version: number
  wanted: unknown
  bill: unknown
  made_at: Date
}

export type InvoiceCounterTable = {
  is_only: Generated<boolean>
  last: Generated<number>
}

export type ProviderEventTable = {
  id: string
  provider: string
  type: string
  occurred_at: Date
  received_at: Date
  payload: unknown
  org_id: string | null
  outcome: string | null
  settled_at: Date | null
}

export type MemberTable = {
  org_id: string
  person_id: string
  is_admin: Generated<boolean>
  added_at: Date
  removed_at: Date | null
  plan_locked: Generated<boolean>
  locked_at: Generated<Date | null>
  locked_admin: Generated<boolean>
}

export type ProjectTable = {
  org_id: string
  id: string
  name: string
  description: Generated<string>
  zone: string
  onboarding_step: Generated<string>
  created_at: Date
  created_by: string
  deleted_at: Generated<Date | null>
  plan_locked: Generated<boolean>
  locked_at: Generated<Date | null>
}

export type RoleTable = {
  org_id: string
  id: string
  project_id: string
  name: string
  kind: string
  permissions: Json<unknown>
  created_at: Generated<Date>
}

export type InviteTable = {
  org_id: string
  id: string
  project_id: string
  email: string
  role_id: string | null
  channel_ids: string[] | null
  publishing: Generated<string>
  invited_by: string
  created_at: Date
  sent_at: Date
  expires_at: Date
  accepted_at: Date | null
  accepted_by: string | null
  revoked_at: Date | null
}

export type ConnectFlowTable = {
  org_id: string
  id: string
  project_id: string
  person_id: string
  platform: string
  state_hash: Buffer
  key_id: string
  sealed: Buffer
  channel_id: string | null
  answered_at: Date | null
  finished_at: Date | null
  expires_at: Date
  client_id: string | null
  variant: string | null
}

export type AppCredentialsTable = {
  org_id: string
  platform: string
  client_id: string
  sandbox: boolean
  key_id: string
  sealed: Buffer
  set_by: string
  set_at: Date
}

export type InstanceAppTable = {
  platform: string
  origin: string
  redirect_uri: string
  key_id: string
  sealed: Buffer
  made_at: Date
  checked_at: Date | null
}

export type ClientKeyTable = {
  platform: string
  key_id: string
  sealed: Buffer
  made_at: Date
}

export type AiRunTable = {
  org_id: string
  channel_id: string
  project_id: string
  state: string
  code: string | null
  problem: string | null
  why: string | null
  posts_read: Generated<number>
  profile: Json<unknown> | null
  tries: Generated<number>
  credits: Generated<number>
  credits_month: string | null
  started_at: Date
  finished_at: Date | null
}

export type AiUsageTable = {
  org_id: string
  month: string
  used: Generated<number>
}

export type ProjectMemberTable = {
  org_id: string
  project_id: string
  person_id: string
  role_id: string | null
  channel_ids: string[] | null
  publishing: Generated<string>
  added_at: Date
  locked_role_id: string | null
}

export type SeriesTable = {
  org_id: string
  id: string
  project_id: string
  recurrence: Json<unknown>
  created_at: Date
  created_by: string
}

export type PostEditorTable = {
  org_id: string
  post_id: string
  person_id: string
  until: Date
}

export type LabelTable = {
  org_id: string
  id: string
  project_id: string
  name: string
  color: string
  state: Generated<string>
  created_at: Date
}

export type PostLabelTable = {
  org_id: string
  post_id: string
  label_id: string
}

export type CampaignTable = {
  org_id: string
  id: string
  project_id: string
  name: string
  description: Generated<string>
  color: string
  state: Generated<string>
  enabled: Generated<boolean>
  completed_at: Date | null
  starts_on: string | null
  ends_on: string | null
  created_at: Date
  created_by: string
}

export type PostCampaignTable = {
  org_id: string
  post_id: string
  campaign_id: string
}

export type HashtagGroupTable = {
  org_id: string
  id: string
  project_id: string
  name: string
  hash_tags: string[]
  created_at: Date
}

export type NoteTable = {
  org_id: string
  id: string
  project_id: string
  post_id: string
  parent_id: string | null
  author_id: string
  body: string
  mentions: Generated<string[]>
  created_at: Date
  edited_at: Date | null
}

export type SavedViewTable = {
  org_id: string
  id: string
  project_id: string
  person_id: string
  name: string
  page: string
  search: string
  created_at: Date
}

export type QueueTable = {
  org_id: string
  channel_id: string
  zone: string
  slots: JsonWithDefault<unknown>
  paused: Generated<boolean>
  version: Generated<number>
}

export type WorkflowTable = {
  org_id: string
  id: string
  project_id: string
  name: string
  is_default: Generated<boolean>
  steps: Json<unknown>
  created_at: Date
  deleted_at: Date | null
}

export type ApprovalTable = {
  org_id: string
  id: string
  post_id: string
  workflow_id: string | null
  workflow_name: string
  steps: Json<unknown>
  step: Generated<number>
  content_hash: Buffer
  state: Generated<string>
  sent_by: string
  sent_at: Date
  ended_at: Date | null
  step_at: Date
  reminded_at: Date | null
  day_told_at: Date | null
  due_told_at: Date | null
  links_ended_at: Date | null
}

export type ApprovalDecisionTable = {
  org_id: string
  id: string
  approval_id: string
  post_id: string
  step: number
  slots: number[]
  person_id: string | null
  external_email: string | null
  external_name: string | null
  decision: string
  comment: Generated<string>
  content_hash: Buffer
  content: Json<unknown>
  at: Date
}

export type ApprovalLinkTable = {
  org_id: string
  id: string
  token_hash: Buffer
  approval_id: string
  step: number
  email: string
  name: string
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
  used_at: Date | null
}

export type AssetFolderTable = {
  org_id: string
  id: string
  project_id: string
  parent_id: string | null
  name: string
  created_at: Date
}

export type PostAssetTable = {
  org_id: string
  post_id: string
  asset_id: string
}

export type ChannelTable = {
  org_id: string
  id: string
  project_id: string
  platform: string
  remote_id: string
  name: string
  handle: string
  picture_url: string | null
  picture_id: Generated<string | null>
  service: string | null
  status: Generated<string>
  enabled: Generated<boolean>
  simulated: Generated<boolean>
  zone: string | null
  lateness_minutes: Generated<number>
  problem: string | null
  connected_at: Date
  connected_by: string
  deleted_at: Date | null
  deleting_at: Date | null
  deleting_by: string | null
  checked_at: Date | null
  check_at: Date | null
  sign_in_ends_at: Date | null
  warned_at: Date | null
  away_since: Date | null
  kind: string | null
  variant: string | null
  missing_rights: Generated<string[]>
  limits: Json<unknown> | null
  plan_locked: Generated<boolean>
  locked_at: Generated<Date | null>
  locked_enabled: Generated<boolean>
}

export type ChannelPictureTable = {
  org_id: string
  channel_id: string
  id: string
  source_url: string
  bytes: Buffer
  fetched_at: Date
}

export type ChannelSecretTable = {
  org_id: string
  channel_id: string
  key_id: string
  sealed: Buffer
  expires_at: Date | null
  version: Generated<number>
  refresh_lease_until: Date | null
  refresh_lease_by: string | null
  refresh_started_at: Date | null
  refresh_tries: Generated<number>
}

export type TrialChannelTable = {
  platform: string
  remote_id: string
  org_id: string
}

export type AssetTable = {
  org_id: string
  id: string
  project_id: string
  state: string
  file_name: string
  display_name: Generated<string | null>
  content_type: string
  bytes: number
  width: number | null
  height: number | null
  alt_text: Generated<string>
  problem: string | null
  store_key: string
  derived_from: string | null
  created_at: Date
  created_by: string | null
  folder_id: string | null
  deleted_at: Date | null
  seconds: number | null
  pages: number | null
  thumbnail_key: string | null
  video_codec: string | null
  audio_codec: string | null
  rotation: number | null
  thumbnail_bytes: number | null
  thumbnail_width: number | null
  thumbnail_height: number | null
  thumbnail_seconds: number | null
}

export type BatchTable = {
  org_id: string
  id: string
  project_id: string
  author_id: string
  intent: string
  draft_id: string | null
  composed_in: string | null
  created_at: Date
}

export type PostTable = {
  org_id: string
  id: string
  project_id: string
  batch_id: string | null
  channel_id: string | null
  author_id: string
  state: string
  post_type: string
  contents: Json<unknown>
  details: JsonWithDefault<unknown>
  draft: Json<unknown> | null
  excerpt: Generated<string>
  images: Generated<number>
  schedule: Json<unknown>
  wall_time: string | null
  zone: string
  due_at: Date | null
  shown_at: Date
  version: Generated<number>
  step: string | null
  step_at: Date | null
  fence: Generated<number>
  tries: Generated<number>
  absent_at: Date | null
  send_key: string | null
  progress: JsonWithDefault<unknown>
  remote_id: string | null
  permalink: string | null
  sent_at: Date | null
  published_at: Date | null
  failure: Json<unknown> | null
  warning: string | null
  deleted_from: string | null
  created_at: Date
  updated_at: Date
  origin: Generated<string>
  series_id: string | null
  series_index: number | null
  series_count: number | null
  series_apart: Generated<boolean>
  first_comment: Generated<string>
  mentions: JsonWithDefault<unknown>
  queue_order: number | null
  part: string | null
  parts_at: Date | null
  parts_doubted: Generated<boolean>
  metrics_at: Date | null
}

export type PostPartTable = {
  org_id: string
  post_id: string
  key: string
  place: number
  kind: string
  item: number | null
  send_key: string
  state: Generated<string>
  remote_id: string | null
  progress: JsonWithDefault<unknown>
  reason: string | null
  sent_at: Date | null
}

export type PostEventTable = {
  org_id: string
  post_id: string
  id: string
  kind: string
  at: Date
  person_id: string | null
  due_at: Date | null
  note: string | null
}

export type IdempotencyTable = {
  org_id: string
  key: string
  endpoint: string
  body_hash: Buffer
  status: number
  reply: Json<unknown>
  created_at: Date
}

export type LaneTable = {
  org_id: string
  channel_id: string
  platform: string
  credentials: Generated<string>
  wake_at: Date | null
  lease_id: string | null
  lease_by: string | null
  lease_until: Date | null
  paused: Generated<boolean>
}

/** The words of posts, noted by a trigger; asked by `search_posts` only. */
export type PostTextTable = {
  org_id: string
  post_id: string
  project_id: string
  words: string
}

export type PostMetricTable = {
  org_id: string
  post_id: string
  day: Date
  figures: Json<unknown>
  read_at: Date
}

export type BoostTable = {
  org_id: string
  id: string
  project_id: string
  post_id: string
  channel_id: string
  started_by: string
  state: string
  ad_account_id: string
  ad_account_name: string
  audience_id: string
  audience_name: string
  currency: string
  minor_units: number
  budget: number
  days: number
  post_type: string
  post_remote_id: string
  made: JsonWithDefault<unknown>
  began_at: Date | null
  absent_at: Date | null
  fence: Generated<number>
  next_at: Date | null
  tries: Generated<number>
  ends_at: Date | null
  spent: number | null
  impressions: number | null
  reach: number | null
  read_at: Date | null
  problem: Json<unknown> | null
  created_at: Date
  updated_at: Date
}

/** Lines of the dashboard's counts, added by triggers and folded by a job; a sum of `n` is a count. */
export type PostCountTable = {
  org_id: string
  id: Generated<string>
  project_id: string
  channel_id: string | null
  author_id: string | null
  day: Date
  state: string
  n: number
  folded: Generated<boolean>
}

/** Lines of what was gained by day, kept like those of `post_count`. */
export type EngagementTable = {
  org_id: string
  id: Generated<string>
  project_id: string
  channel_id: string
  day: Date
  impressions: number | null
  reactions: number | null
  comments: number | null
  shares: number | null
  readings: number
  read_at: Date
  folded: Generated<boolean>
}

export type PostEditTable = {
  org_id: string
  post_id: string
  says: Json<unknown>
  began_at: Date
  person_id: string
  held_until: Generated<Date | null>
}

export type AssetImportTable = {
  org_id: string
  id: string
  project_id: string
  began_at: Date
  ended_at: Generated<Date | null>
  bytes: Generated<number>
}

export type AttemptTable = {
  org_id: string
  id: string
  post_id: string
  channel_id: string
  fence: number
  step: string
  node_id: string
  send_key: string | null
  started_at: Date
  finished_at: Date | null
  outcome: string | null
  exchange: Json<unknown> | null
  part: string | null
}

export type NodeTable = {
  id: string
  started_at: Date
  seen_at: Date
  role: string
  pool_id: string | null
  host: Generated<string>
}

export type KillSwitchTable = {
  scope: string
  name: Generated<string>
  reason: string
  since: Date
}

export type PunctualityTable = {
  hour: Date
  platform: string
  posts: Generated<number>
  buckets: Generated<number[]>
}

export type EventTable = {
  id: Generated<number>
  xid: Generated<string>
  at: Date
  org_id: string
  project_id: string | null
  person_id: string | null
  kind: string
  ref: string
}

export type AuditTable = {
  org_id: string
  id: string
  at: Date
  project_id: string | null
  person_id: string | null
  action: string
  entity: string
  entity_id: string | null
  detail: JsonWithDefault<unknown>
  sealed_seq: number | null
  seal: Buffer | null
}

export type OrgExportTable = {
  org_id: string
  id: string
  status: Generated<string>
  progress: Generated<number>
  bytes: number | null
  requested_by: string
  requested_at: Date
  expires_at: Date | null
}

export type AuditSealTable = {
  org_id: string
  seq: number
  seal: Buffer
  sealed_at: Date
}

export type AuditClientTable = {
  org_id: string
  audit_id: string
  address: string
  at: Date
}

export type NoticeTable = {
  org_id: string
  id: string
  person_id: string
  project_id: string | null
  dedupe_key: string
  kind: string
  params: unknown
  count: Generated<number>
  created_at: Date
  updated_at: Date
  read_at: Date | null
  mailed_at: Date | null
  in_app: Generated<boolean>
  channel_ids: string[] | null
  mail_due_at: Date | null
  mail_id: string | null
}

export type BulkImportTable = {
  org_id: string
  id: string
  project_id: string
  name: string
  unknown_columns: Generated<string[]>
  version: Generated<number>
  created_at: Date
  created_by: string
}

export type BulkRowTable = {
  org_id: string
  import_id: string
  row: number
  state: Generated<string>
  cells: Json<unknown>
  plan: Json<unknown> | null
  asked_by: string | null
  tries: Generated<number>
  problems: JsonWithDefault<unknown>
  post_ids: Generated<string[]>
}

export type BulkFileTable = {
  org_id: string
  import_id: string
  url: string
  asset_id: string
}

export type Database = {
  instance: InstanceTable
  person: PersonTable
  session: SessionTable
  verification_code: VerificationCodeTable
  reset_link: ResetLinkTable
  human_solution: HumanSolutionTable
  budget: BudgetTable
  organization: OrganizationTable
  plan: PlanTable
  subscription: SubscriptionTable
  billing_transaction: BillingTransactionTable
  pending_change: PendingChangeTable
  invoice_counter: InvoiceCounterTable
  provider_event: ProviderEventTable
  member: MemberTable
  project: ProjectTable
  role: RoleTable
  project_member: ProjectMemberTable
  channel: ChannelTable
  post_editor: PostEditorTable
  series: SeriesTable
  label: LabelTable
  post_label: PostLabelTable
  campaign: CampaignTable
  post_campaign: PostCampaignTable
  hashtag_group: HashtagGroupTable
  note: NoteTable
  saved_view: SavedViewTable
  queue: QueueTable
  workflow: WorkflowTable
  approval: ApprovalTable
  approval_decision: ApprovalDecisionTable
  approval_link: ApprovalLinkTable
  asset_folder: AssetFolderTable
  post_asset: PostAssetTable
  bulk_import: BulkImportTable
  bulk_row: BulkRowTable
  bulk_file: BulkFileTable
  invite: InviteTable
  connect_flow: ConnectFlowTable
  client_key: ClientKeyTable
  app_credentials: AppCredentialsTable
  instance_app: InstanceAppTable
  ai_run: AiRunTable
  ai_usage: AiUsageTable
  person_picture: PersonPictureTable
  recovery_code: RecoveryCodeTable
  login_challenge: LoginChallengeTable
  passkey: PasskeyTable
  passkey_challenge: PasskeyChallengeTable
  notice_preference: NoticePreferenceTable
  channel_picture: ChannelPictureTable
  channel_secret: ChannelSecretTable
  trial_channel: TrialChannelTable
  asset: AssetTable
  batch: BatchTable
  post: PostTable
  post_event: PostEventTable
  idempotency: IdempotencyTable
  lane: LaneTable
  attempt: AttemptTable
  post_part: PostPartTable
  post_edit: PostEditTable
  asset_import: AssetImportTable
  post_metric: PostMetricTable
  boost: BoostTable
  post_text: PostTextTable
  post_count: PostCountTable
  engagement: EngagementTable
  node: NodeTable
  kill_switch: KillSwitchTable
  punctuality: PunctualityTable
  event: EventTable
  audit: AuditTable
  audit_client: AuditClientTable
  audit_seal: AuditSealTable
  org_export: OrgExportTable
  notice: NoticeTable
}
