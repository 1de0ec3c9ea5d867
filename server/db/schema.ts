import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** The tables as migrations/*.sql make them: written by `node bin/schema.js` from a migrated database. */

/** Read as parsed JSON, written as its text: `JSON.stringify` it at the call. */
type Json = ColumnType<unknown, string, string>
type GeneratedJson = ColumnType<unknown, string | undefined, string>

export type Database = {
  account_clock: {
    account: string
    last_at: Date
  }
  ai_run: {
    org_id: string
    channel_id: string
    project_id: string
    state: string
    problem: Json | null
    posts_read: Generated<number>
    profile: Json | null
    tries: Generated<number>
    credits: Generated<number>
    credits_month: string | null
    started_at: Date
    finished_at: Date | null
  }
  ai_usage: {
    org_id: string
    month: string
    used: Generated<number>
  }
  app_credentials: {
    org_id: string
    platform: string
    client_id: string
    sandbox: Generated<boolean>
    key_id: string
    sealed: Buffer
    set_by: string
    set_at: Date
  }
  approval: {
    org_id: string
    id: string
    post_id: string
    workflow_id: string | null
    workflow_name: string
    steps: Json
    content_hash: Buffer
    state: Generated<string>
    step: Generated<number>
    sent_by: string
    sent_at: Date
    ended_at: Date | null
    step_at: Date
    reminded_at: Date | null
    day_told_at: Date | null
    due_told_at: Date | null
    links_ended_at: Date | null
  }
  approval_decision: {
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
    content: Json
    at: Date
  }
  approval_link: {
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
  asset: {
    org_id: string
    id: string
    project_id: string
    folder_id: string | null
    state: string
    problem: Json | null
    file_name: string
    display_name: string | null
    alt_text: Generated<string>
    content_type: string
    bytes: number
    store_key: string
    derived_from: string | null
    width: number | null
    height: number | null
    pages: number | null
    seconds: number | null
    video_codec: string | null
    audio_codec: string | null
    rotation: number | null
    thumbnail_key: string | null
    thumbnail_bytes: number | null
    thumbnail_width: number | null
    thumbnail_height: number | null
    thumbnail_seconds: number | null
    created_at: Date
    created_by: string | null
    deleted_at: Date | null
    frame_rate: number | null
    bit_depth: number | null
    chroma: string | null
    frames: number | null
    color_space: string | null
    facts_version: Generated<number>
    fitted_for: string | null
  }
  asset_folder: {
    org_id: string
    id: string
    project_id: string
    parent_id: string | null
    name: string
    created_at: Date
  }
  asset_import: {
    org_id: string
    id: string
    project_id: string
    began_at: Date
    ended_at: Date | null
    bytes: Generated<number>
  }
  attempt: {
    org_id: string
    id: string
    subject_id: string
    channel_id: string
    fence: number
    step: string
    node_id: string
    send_key: string | null
    started_at: Date
    finished_at: Date | null
    outcome: string | null
    exchange: Json | null
    subject: string
    key: Generated<string>
  }
  audience: {
    org_id: string
    channel_id: string
    day: string
    breakdown: string
    bucket: string
    value: number
  }
  audit: {
    org_id: string
    id: string
    at: Date
    project_id: string | null
    person_id: string | null
    action: string
    entity: string
    entity_id: string | null
    detail: GeneratedJson
    sealed_seq: number | null
    seal: Buffer | null
  }
  audit_client: {
    org_id: string
    audit_id: string
    address: string
    at: Date
  }
  audit_seal: {
    org_id: string
    seq: number
    seal: Buffer
    sealed_at: Date
  }
  batch: {
    org_id: string
    id: string
    project_id: string
    author_id: string
    intent: string
    draft_id: string | null
    composed_in: string | null
    created_at: Date
  }
  billing_transaction: {
    org_id: string
    id: string
    provider: string
    kind: string
    status: string
    surplus: Generated<boolean>
    wanted: Json | null
    items: Json
    currency_code: string
    tax_rate: number
    subtotal: number
    tax: number
    credit: number
    grand_total: number
    payment_method: Json | null
    invoice_number: string | null
    service_from: Date | null
    service_to: Date | null
    refers_to: Generated<string[]>
    seller: Json | null
    buyer: Json | null
    person_id: string | null
    created_at: Date
    occurred_at: Date
    event_at: Date | null
  }
  bio_count: {
    org_id: string
    page_id: string
    day: string
    number: number
    views: Generated<number>
    visitors: Generated<number>
    clicks: Generated<number>
  }
  bio_item: {
    org_id: string
    page_id: string
    number: number
    kind: string
    position: number
    label: string
    url: string
    hidden: Generated<boolean>
    starts_wall: string | null
    ends_wall: string | null
    zone: string | null
    starts_at: Date | null
    ends_at: Date | null
    post_id: string | null
    picture_key: string | null
  }
  bio_page: {
    org_id: string
    id: string
    project_id: string
    name: string
    about: Generated<string>
    picture_asset_id: string | null
    theme: string
    live: boolean
    noindex: Generated<boolean>
    next_number: Generated<number>
    version: Generated<number>
    blocked_at: Date | null
    blocked_reason: string | null
    created_at: Date
    created_by: string | null
    updated_at: Date
  }
  bio_report: {
    id: string
    org_id: string
    page_id: string
    slug: string
    reason: string
    words: Generated<string>
    email: string | null
    created_at: Date
    handled_at: Date | null
  }
  bio_slug: {
    org_id: string
    slug: string
    project_id: string
    page_id: string | null
    kept_until: Date | null
  }
  bio_visitor: {
    org_id: string
    page_id: string
    day: string
    visitor: Buffer
  }
  boost: {
    org_id: string
    id: string
    project_id: string
    post_id: string
    channel_id: string
    started_by: string
    state: string
    problem: Json | null
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
    made: GeneratedJson
    began_at: Date | null
    absent_at: Date | null
    next_at: Date | null
    tries: Generated<number>
    ends_at: Date | null
    spent: number | null
    impressions: number | null
    reach: number | null
    read_at: Date | null
    created_at: Date
    updated_at: Date
  }
  budget: {
    key: string
    window_ends_at: Date
    used: Generated<number>
    closed_until: Date | null
  }
  bulk_file: {
    org_id: string
    import_id: string
    url: string
    asset_id: string
  }
  bulk_import: {
    org_id: string
    id: string
    project_id: string
    name: string
    unknown_columns: Generated<string[]>
    version: Generated<number>
    created_at: Date
    created_by: string
  }
  bulk_row: {
    org_id: string
    import_id: string
    row: number
    state: Generated<string>
    cells: Json
    plan: Json | null
    asked_by: string | null
    tries: Generated<number>
    problems: GeneratedJson
    post_ids: Generated<string[]>
  }
  campaign: {
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
  canned_response: {
    org_id: string
    id: string
    project_id: string
    name: string
    text: string
    author_id: string | null
    updated_at: Date
    used: Generated<number>
  }
  channel: {
    org_id: string
    id: string
    project_id: string
    platform: string
    remote_id: string
    name: string
    handle: string
    kind: string | null
    picture_url: string | null
    picture_id: string | null
    service: string | null
    variant: string | null
    missing_rights: Generated<string[]>
    limits: Json | null
    zone: string | null
    lateness_minutes: Generated<number>
    simulated: Generated<boolean>
    status: Generated<string>
    enabled: Generated<boolean>
    problem: Json | null
    checked_at: Date | null
    check_at: Date | null
    sign_in_ends_at: Date | null
    warned_at: Date | null
    away_since: Date | null
    plan_locked: Generated<boolean>
    locked_at: Date | null
    locked_enabled: Generated<boolean>
    connected_at: Date
    connected_by: string
    deleting_at: Date | null
    deleting_by: string | null
    deleted_at: Date | null
  }
  channel_figure: {
    org_id: string
    channel_id: string
    day: string
    name: string
    value: number
    read_at: Date
  }
  channel_picture: {
    org_id: string
    channel_id: string
    id: string
    source_url: string
    bytes: Buffer
    fetched_at: Date
  }
  channel_secret: {
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
  client_key: {
    platform: string
    key_id: string
    sealed: Buffer
    made_at: Date
  }
  competitor: {
    org_id: string
    id: string
    project_id: string
    platform: string
    remote_id: string
    name: string
    handle: string
    picture_url: string | null
    profile_url: string | null
    added_by: string | null
    added_at: Date
    seen_at: Date
    via_channel_id: string | null
    posts_since: Date | null
    next_at: Date | null
    read_at: Date | null
    tries: Generated<number>
    state: Generated<string>
    problem: Json | null
    removed_at: Date | null
  }
  competitor_figure: {
    org_id: string
    competitor_id: string
    day: string
    name: string
    value: number
    read_at: Date
  }
  competitor_post: {
    org_id: string
    competitor_id: string
    remote_id: string
    published_at: Date
    excerpt: string
    permalink: string | null
    figures: GeneratedJson
    read_at: Date
  }
  connect_flow: {
    org_id: string
    id: string
    project_id: string
    person_id: string
    platform: string
    client_id: string | null
    variant: string | null
    state_hash: Buffer
    key_id: string
    sealed: Buffer
    channel_id: string | null
    answered_at: Date | null
    finished_at: Date | null
    expires_at: Date
  }
  conversation: {
    org_id: string
    id: string
    project_id: string
    channel_id: string
    kind: string
    thread_key: string
    person_id: string | null
    post_id: string | null
    subject: Json | null
    status: Generated<string>
    follow_up_on: string | null
    assignee_id: string | null
    last_at: Date
    last_direction: string
    preview: Generated<string>
    last_received_at: Date | null
    unanswered: Generated<number>
    waiting_since: Date | null
    answered: Generated<boolean>
    overdue_for: Date | null
    rating: number | null
    sentiment: string | null
    sentiment_by: string | null
    version: Generated<number>
    created_at: Date
    held: Generated<number>
  }
  conversation_editor: {
    org_id: string
    conversation_id: string
    person_id: string
    until: Date
  }
  conversation_label: {
    org_id: string
    conversation_id: string
    label_id: string
  }
  conversation_read: {
    org_id: string
    conversation_id: string
    person_id: string
    up_to: Date
  }
  data_deletion: {
    code: string
    platform: string
    app_key: string
    installed: boolean
    org_ids: string[]
    user_id: string | null
    requested_at: Date
    done_at: Date | null
  }
  delivery: {
    org_id: string
    channel_id: string
    subject: string
    subject_id: string
    key: Generated<string>
    place: Generated<number>
    details: GeneratedJson
    state: Generated<string>
    step: string | null
    step_at: Date | null
    wanted_at: Date | null
    fence: Generated<number>
    tries: Generated<number>
    absent_at: Date | null
    doubted: Generated<boolean>
    send_key: string | null
    progress: GeneratedJson
    remote_id: string | null
    sent_at: Date | null
    failure: Json | null
    lease_id: string | null
    lease_until: Date | null
    dated_at: Date | null
  }
  discussion: {
    org_id: string
    id: string
    project_id: string
    title: string
    post_id: string | null
    conversation_id: string | null
    campaign_id: string | null
    author_id: string
    created_at: Date
    last_at: Date
    resolved_at: Date | null
    resolved_by: string | null
  }
  discussion_member: {
    org_id: string
    discussion_id: string
    person_id: string
  }
  event: {
    id: GeneratedAlways<number>
    xid: Generated<string>
    at: Date
    org_id: string
    project_id: string | null
    person_id: string | null
    kind: string
    ref: string
  }
  figure_line: {
    org_id: string
    id: Generated<string>
    project_id: string
    channel_id: string
    day: string
    name: string
    amount: number
    n: number
    read_at: Date
    kind: string
  }
  figure_month: {
    org_id: string
    channel_id: string
    kind: string
    name: string
    month: string
    amounts: Buffer
    read: Buffer
    counts: Buffer | null
    total: number | null
    total_count: number | null
  }
  hashtag_group: {
    org_id: string
    id: string
    project_id: string
    name: string
    hash_tags: string[]
    created_at: Date
  }
  hashtag_search: {
    org_id: string
    channel_id: string
    hashtag: string
    remote_id: string | null
    counted_at: Date
  }
  human_solution: {
    solution_hash: Buffer
    expires_at: Date
  }
  idempotency: {
    org_id: string
    key: string
    endpoint: string
    body_hash: Buffer
    status: number
    reply: Json
    created_at: Date
  }
  inbox_cost: {
    org_id: string
    platform: string
    monthly_limit: number | null
    month: string
    spent: Generated<number>
  }
  inbox_count: {
    org_id: string
    id: GeneratedAlways<number>
    project_id: string
    person_id: string | null
    channel_id: string
    kind: string
    open: Generated<number>
    received: Generated<number>
    unassigned: Generated<number>
    waiting: Generated<number>
    follow_up: Generated<number>
    mine: Generated<number>
    seen: Generated<number>
    folded: Generated<boolean>
  }
  inbox_cursor: {
    org_id: string
    channel_id: string
    kind: string
    cursor: Json | null
    first: Generated<boolean>
    began_at: Date
    next_at: Date
    read_at: Date | null
    heard_at: Date | null
    tries: Generated<number>
    pushed_at: Date | null
    lease_until: Date | null
    state: Generated<string>
    trouble: Json | null
    subscribed_at: Date | null
  }
  inbox_day: {
    org_id: string
    id: GeneratedAlways<number>
    project_id: string
    person_id: string | null
    channel_id: string
    status: string
    day: number
    n: number
    folded: Generated<boolean>
  }
  inbox_delivery: {
    id: Generated<string>
    platform: string
    app_key: string
    org_id: string | null
    digest: Buffer
    body: string
    received_at: Date
    done_at: Date | null
  }
  inbox_item: {
    org_id: string
    id: string
    conversation_id: string
    channel_id: string
    remote_id: string
    type: string
    direction: string
    person_id: string | null
    parent_remote_id: string | null
    text: string | null
    media: GeneratedJson
    rating: number | null
    url: string | null
    at: Date
    remote_version: Generated<number>
    edited_at: Date | null
    deleted_at: Date | null
    hidden: Generated<boolean>
    reaction: string | null
    keep_until: Date | null
    expired: Generated<boolean>
    received_at: Date
    held: Generated<boolean>
    warning: string | null
  }
  inbox_person: {
    org_id: string
    id: string
    channel_id: string
    remote_id: string
    name: string
    handle: string
    picture_url: string | null
    url: string | null
    keep_until: Date | null
  }
  inbox_push: {
    id: Generated<string>
    platform: string
    app_key: string
    org_id: string | null
    digest: Buffer
    told: Json
    received_at: Date
    tries: Generated<number>
    failed: Generated<boolean>
    done_at: Date | null
  }
  inbox_setting: {
    org_id: string
    project_id: string
    reply_closes: Generated<boolean>
    answer_hours: number | null
    business_hours: GeneratedJson
  }
  inbox_text: {
    org_id: string
    item_id: string
    conversation_id: string
    project_id: string
    words: string
    folded: Generated<boolean>
  }
  inbox_tombstone: {
    org_id: string
    channel_id: string
    remote_id: string
    at: Date
  }
  insight_goal: {
    org_id: string
    id: string
    project_id: string
    name: string
    figure: string
    target: number
    from_day: string
    to_day: string
    platform: string | null
    channel_ids: string[] | null
    created_by: string | null
    created_at: Date
  }
  insight_sync: {
    org_id: string
    channel_id: string
    kind: string
    read_to: string | null
    until_day: string | null
    next_at: Date | null
    read_at: Date | null
    tries: Generated<number>
    state: Generated<string>
    problem: Json | null
    cursor: string | null
    wanted: number | null
    imported: number | null
  }
  instance: {
    id: Generated<boolean>
    system_identifier: string
    timeline: number
    alive_at: Date
    held_since: Date | null
    doubted: Generated<boolean>
    zone_data: Generated<string>
  }
  instance_app: {
    platform: string
    origin: string
    redirect_uri: string
    key_id: string
    sealed: Buffer
    made_at: Date
    checked_at: Date | null
  }
  invite: {
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
  invoice_counter: {
    is_only: Generated<boolean>
    last: Generated<number>
  }
  kill_switch: {
    scope: string
    name: Generated<string>
    reason: string | null
    since: Date
    cause: Generated<string>
  }
  label: {
    org_id: string
    id: string
    project_id: string
    name: string
    color: string
    state: Generated<string>
    created_at: Date
  }
  lane: {
    org_id: string
    channel_id: string
    platform: string
    credentials: Generated<string>
    wake_at: Date | null
    paused: Generated<boolean>
  }
  link_setting: {
    org_id: string
    id: string
    project_id: string
    channel_id: string | null
    tags: Json
    shorten: boolean
    updated_at: Date
  }
  login_challenge: {
    token_hash: Buffer
    person_id: string
    attempts: Generated<number>
    expires_at: Date
  }
  measured_post: {
    org_id: string
    id: string
    project_id: string
    channel_id: string
    elsewhere: boolean
    remote_id: string | null
    post_type: string
    published_at: Date
    shown_at: Date
    listed: Generated<boolean>
    metrics_at: Date | null
    gone_at: Date | null
    excerpt: string | null
    permalink: string | null
    picture_url: string | null
    hashtags: Generated<string[]>
    found_at: Date | null
    text_length: number | null
    media: string | null
  }
  member: {
    org_id: string
    person_id: string
    is_admin: Generated<boolean>
    added_at: Date
    removed_at: Date | null
    plan_locked: Generated<boolean>
    locked_at: Date | null
    locked_admin: Generated<boolean>
  }
  node: {
    id: string
    role: string
    pool_id: string | null
    host: Generated<string>
    started_at: Date
    seen_at: Date
  }
  note: {
    org_id: string
    id: string
    project_id: string
    post_id: string | null
    parent_id: string | null
    author_id: string
    body: string
    mentions: Generated<string[]>
    created_at: Date
    edited_at: Date | null
    conversation_id: string | null
    discussion_id: string | null
  }
  notice: {
    org_id: string
    id: string
    person_id: string
    project_id: string | null
    channel_ids: string[] | null
    dedupe_key: string
    kind: string
    params: Json
    count: Generated<number>
    created_at: Date
    updated_at: Date
    read_at: Date | null
    in_app: Generated<boolean>
    mail_due_at: Date | null
    mail_id: string | null
    mailed_at: Date | null
  }
  notice_preference: {
    person_id: string
    topic: string
    in_app: boolean
    mail: boolean
  }
  org_export: {
    org_id: string
    id: string
    status: Generated<string>
    progress: Generated<number>
    bytes: number | null
    requested_by: string
    requested_at: Date
    expires_at: Date | null
  }
  organization: {
    org_id: string
    name: string
    org_type: string
    org_size: string
    requires_second_factor: Generated<boolean>
    billing_details: Json | null
    created_at: Date
    created_by: string
    deletes_at: Date | null
    inbox_keep_days: Generated<number>
    inbox_kept_days: Generated<number>
  }
  organization_brand: {
    org_id: string
    accent: string | null
    logo_id: string | null
    logo: Buffer | null
    updated_at: Date
  }
  passkey: {
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
  passkey_challenge: {
    challenge_hash: Buffer
    person_id: string | null
    expires_at: Date
  }
  pending_change: {
    org_id: string
    person_id: string
    kind: string
    subscription_id: string
    version: number
    wanted: Json
    bill: Json
    made_at: Date
  }
  person: {
    id: string
    email: string
    pending_email: string | null
    password_hash: string
    first_name: string
    last_name: string
    picture_id: string | null
    confirmed_at: Date | null
    signup_invite_id: string | null
    setup_completed: Generated<boolean>
    setup_features: Generated<string[]>
    last_org_id: string | null
    last_project_id: string | null
    totp_sealed: Buffer | null
    totp_key_id: string | null
    totp_confirmed_at: Date | null
    totp_pending_sealed: Buffer | null
    totp_pending_key_id: string | null
    totp_pending_at: Date | null
    totp_last_step: number | null
    created_at: Date
  }
  person_picture: {
    id: string
    person_id: string
    bytes: Buffer
    created_at: Date
  }
  plan: {
    org_id: string
    plan_id: string
    status: string
    addon_quantity: Generated<number>
    trial_ends_at: Date | null
    changed_at: Date
  }
  post: {
    org_id: string
    id: string
    project_id: string
    batch_id: string | null
    channel_id: string | null
    author_id: string
    origin: Generated<string>
    state: string
    deleted_from: string | null
    post_type: string
    contents: Json
    details: GeneratedJson
    first_comment: Generated<string>
    mentions: GeneratedJson
    draft: Json | null
    excerpt: Generated<string>
    images: Generated<number>
    schedule: Json
    wall_time: string | null
    zone: string
    due_at: Date | null
    shown_at: Date
    queue_order: number | null
    series_id: string | null
    series_index: number | null
    series_count: number | null
    series_apart: Generated<boolean>
    version: Generated<number>
    remote_id: string | null
    permalink: string | null
    published_at: Date | null
    failure: Json | null
    warning: Json | null
    created_at: Date
    updated_at: Date
    month_item: string | null
  }
  post_asset: {
    org_id: string
    post_id: string
    asset_id: string
  }
  post_campaign: {
    org_id: string
    post_id: string
    campaign_id: string
  }
  post_click: {
    org_id: string
    post_id: string
    name: string
    day: string
    n: number
    told: Generated<number>
  }
  post_count: {
    org_id: string
    id: Generated<string>
    project_id: string
    channel_id: string | null
    author_id: string | null
    day: string
    state: string
    n: number
    folded: Generated<boolean>
  }
  post_editor: {
    org_id: string
    post_id: string
    person_id: string
    until: Date
  }
  post_event: {
    org_id: string
    post_id: string
    id: string
    kind: string
    at: Date
    person_id: string | null
    due_at: Date | null
    detail: Json | null
  }
  post_figure: {
    org_id: string
    post_id: string
    name: string
    project_id: string
    channel_id: string
    shown_at: Date
    value: number
    part: number | null
    whole: number | null
    read_at: Date | null
    figures: Json | null
  }
  post_label: {
    org_id: string
    post_id: string
    label_id: string
  }
  post_metric: {
    org_id: string
    post_id: string
    figures: Json
    read_at: Date
    after_gap: Generated<boolean>
    since: Date | null
  }
  post_text: {
    org_id: string
    post_id: string
    project_id: string
    words: string
    folded: Generated<boolean>
  }
  project: {
    org_id: string
    id: string
    name: string
    description: Generated<string>
    zone: string
    onboarding_step: Generated<string>
    created_at: Date
    created_by: string
    deleted_at: Date | null
    plan_locked: Generated<boolean>
    locked_at: Date | null
  }
  project_member: {
    org_id: string
    project_id: string
    person_id: string
    role_id: string | null
    channel_ids: string[] | null
    publishing: Generated<string>
    added_at: Date
    locked_role_id: string | null
  }
  provider_event: {
    id: string
    provider: string
    type: string
    occurred_at: Date
    received_at: Date
    payload: Json
    org_id: string | null
    outcome: string | null
    settled_at: Date | null
  }
  punctuality: {
    hour: Date
    platform: string
    posts: Generated<number>
    buckets: Generated<number[]>
  }
  push_address: {
    platform: string
    account: string
    address: string
    key_id: string
    sealed: Buffer
    server_key: string | null
  }
  queue: {
    org_id: string
    channel_id: string
    zone: string
    slots: GeneratedJson
    paused: Generated<boolean>
    version: Generated<number>
  }
  recovery_code: {
    person_id: string
    code_hash: Buffer
    used_at: Date | null
  }
  reply: {
    org_id: string
    id: string
    conversation_id: string
    channel_id: string
    item_id: string | null
    author_id: string
    text: string
    asset_ids: Generated<string[]>
    state: Generated<string>
    failure: Json | null
    response_id: string | null
    created_at: Date
    sent_at: Date | null
    remote_id: string | null
    closes: boolean | null
    alt_texts: GeneratedJson
  }
  report: {
    org_id: string
    id: string
    project_id: string
    name: string
    content: Json
    version: Generated<number>
    created_at: Date
    created_by: string | null
    updated_at: Date
    updated_by: string | null
  }
  report_file: {
    org_id: string
    id: string
    run_id: string
    rights: Json
    media_key: string | null
    bytes: number
    pages: number
    created_at: Date
    not_final: GeneratedJson
  }
  report_file_gone: {
    media_key: string
  }
  report_link: {
    org_id: string
    id: string
    report_id: string
    name: string
    token_hash: Buffer
    person_id: string
    created_at: Date
    expires_at: Date
    revoked_at: Date | null
    opened_at: Date | null
    last_opened_at: Date | null
  }
  report_mail: {
    org_id: string
    id: string
    run_id: string
    recipient_id: string
    email: string
    person_id: string | null
    file_id: string | null
    message_id: string
    state: string
    reason: string | null
    at: Date
  }
  report_recipient: {
    org_id: string
    id: string
    schedule_id: string
    person_id: string | null
    email: string | null
    token_hash: Buffer | null
    asked_at: Date | null
    confirmed_at: Date | null
    ended_at: Date | null
    created_at: Date
    removed_at: Date | null
  }
  report_run: {
    org_id: string
    id: string
    project_id: string
    schedule_id: string
    due_at: Date
    asked: Generated<boolean>
    from_day: string
    to_day: string
    state: string
    reason: string | null
    not_final: GeneratedJson
    wait_until: Date | null
    next_try_at: Date | null
    tries: Generated<number>
    fence: Generated<number>
    lease_until: Date | null
    created_at: Date
    finished_at: Date | null
  }
  report_schedule: {
    org_id: string
    id: string
    project_id: string
    report_id: string
    owner_id: string
    frequency: string
    day: number
    wall_time: string
    zone: string
    wait_days: number
    next_due_at: Date
    paused: string | null
    paused_at: Date | null
    version: Generated<number>
    created_at: Date
    updated_at: Date
  }
  reset_link: {
    token_hash: Buffer
    person_id: string
    expires_at: Date
    used_at: Date | null
  }
  role: {
    org_id: string
    id: string
    project_id: string
    name: string
    kind: string
    permissions: Json
    created_at: Generated<Date>
  }
  saved_view: {
    org_id: string
    id: string
    project_id: string
    person_id: string
    name: string
    page: string
    search: string
    created_at: Date
  }
  series: {
    org_id: string
    id: string
    project_id: string
    recurrence: Json
    created_at: Date
    created_by: string
  }
  session: {
    id: string
    token_hash: Buffer
    person_id: string
    client: Generated<string>
    second_factor: Generated<boolean>
    created_at: Date
    last_seen_at: Date
    expires_at: Date
  }
  short_link: {
    org_id: string
    code: string
    project_id: string
    post_id: string
    url: string
    created_at: Date
    blocked_at: Date | null
  }
  subscription: {
    org_id: string
    id: string
    provider: string
    customer_id: string | null
    version: Generated<number>
    billing_interval: string | null
    anchor: Date | null
    period_start: Date | null
    period_end: Date | null
    canceled_at: Date | null
    ends_with_org: Generated<boolean>
    credits: GeneratedJson
    paid_items: GeneratedJson
    planned: Json | null
    renews: Json | null
    overdue: Json | null
    overdue_transaction: string | null
    due_at: Date | null
    payment_method: Json | null
    event_at: Date | null
    changed_at: Date
  }
  trial_channel: {
    platform: string
    remote_id: string
    org_id: string
  }
  verification_code: {
    person_id: string
    code_hash: Buffer
    email: string
    attempts: Generated<number>
    issued_at: Date
    expires_at: Date
  }
  visitor_salt: {
    day: string
    salt: Buffer
  }
  workflow: {
    org_id: string
    id: string
    project_id: string
    name: string
    is_default: Generated<boolean>
    steps: Json
    created_at: Date
    deleted_at: Date | null
  }
}
