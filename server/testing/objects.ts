import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import { contentOf as newReport } from '#contract/reports/templates.ts'
import { hashToken } from '../http/session.ts'
import { putDelivery } from './deliveries.ts'
import { contentHash, type Content } from '../approvals/content.ts'
import type { Clock } from '../clock.ts'
import type { TestDatabase } from './database.ts'
import type { Builders, TestHome } from './people.ts'
import { failedPost } from './notifications.ts'

/** What rows are created with: an app under test, or a bench. */
type Maker = Pick<Builders, 'colleague'> & { database: Pick<TestDatabase, 'owner'>; clock: Pick<Clock, 'now'> }

/** A path parameter's object: how to create one in a project, and where its row is. */
export type ObjectKind = {
  table: string
  /** The column of the ID; `id` by default. */ key?: string
  make(app: Maker, home: TestHome): Promise<string>
}

const insert = async (app: Maker, table: string, row: Record<string, unknown>): Promise<string> => {
  const names = Object.keys(row)
  await app.database.owner.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  )
  return String(row['id'])
}

async function makeChannel(app: Maker, { orgId, projectId, person }: TestHome): Promise<string> {
  const id = randomUUIDv7()
  const now = app.clock.now()
  await insert(app, 'channel', {
    org_id: orgId,
    id,
    project_id: projectId,
    platform: 'bluesky',
    remote_id: `did:plc:${id.slice(-12)}`,
    name: 'Their channel',
    handle: '@their.example',
    service: 'https://pds.example',
    connected_at: now,
    connected_by: person.personId,
  })
  await insert(app, 'lane', { org_id: orgId, channel_id: id, platform: 'bluesky' })
  return id
}

async function makePost(app: Maker, home: TestHome): Promise<string> {
  const channelId = await makeChannel(app, home)
  const now = app.clock.now()
  const dueAt = new Date(now.getTime() + 7_200_000)
  const id = await insert(app, 'post', {
    org_id: home.orgId,
    id: randomUUIDv7(),
    project_id: home.projectId,
    channel_id: channelId,
    author_id: home.person.personId,
    state: 'SCHEDULED',
    post_type: 'post',
    contents: JSON.stringify([{ text: 'Theirs', media: [] }]),
    excerpt: 'Theirs',
    schedule: JSON.stringify({ type: 'ONCE', details: { utc: dueAt.toISOString(), timezone: 'Europe/London' } }),
    wall_time: '2026-11-21T12:00',
    zone: 'Europe/London',
    due_at: dueAt,
    shown_at: dueAt,
    created_at: now,
    updated_at: now,
  })
  await putDelivery(app.database.owner, id, { step: 'send', step_at: dueAt })
  return id
}

const inTaxonomy = (app: Maker, { orgId, projectId }: TestHome) => ({
  org_id: orgId,
  id: randomUUIDv7(),
  project_id: projectId,
  name: `Theirs ${randomUUID().slice(0, 8)}`,
  created_at: app.clock.now(),
})

async function makeInvite(app: Maker, { orgId, projectId, person }: TestHome): Promise<string> {
  const now = app.clock.now()
  const { rows } = await app.database.owner.query<{ id: string }>(
    "select id from role where project_id = $1 and kind = 'user'",
    [projectId],
  )
  return await insert(app, 'invite', {
    org_id: orgId,
    id: randomUUID(),
    project_id: projectId,
    email: `${randomUUID().slice(0, 8)}@theirs.example`,
    role_id: rows[0]?.id,
    invited_by: person.personId,
    created_at: now,
    sent_at: now,
    expires_at: new Date(now.getTime() + 7 * 86_400_000),
  })
}

async function makeReport(app: Maker, { orgId, projectId, person }: TestHome): Promise<string> {
  const now = app.clock.now()
  return await insert(app, 'report', {
    org_id: orgId,
    id: randomUUIDv7(),
    project_id: projectId,
    name: 'Theirs',
    content: JSON.stringify(newReport('empty')),
    created_at: now,
    created_by: person.personId,
    updated_at: now,
  })
}

async function makeNote(app: Maker, home: TestHome): Promise<string> {
  const postId = await makePost(app, home)
  return await insert(app, 'note', {
    org_id: home.orgId,
    id: randomUUIDv7(),
    project_id: home.projectId,
    post_id: postId,
    author_id: home.person.personId,
    body: 'Theirs',
    created_at: app.clock.now(),
  })
}

async function makeConversation(app: Maker, home: TestHome): Promise<string> {
  const now = app.clock.now()
  return await insert(app, 'conversation', {
    org_id: home.orgId,
    id: randomUUIDv7(),
    project_id: home.projectId,
    channel_id: await makeChannel(app, home),
    kind: 'comment',
    thread_key: randomUUID(),
    last_at: now,
    last_direction: 'received',
    last_received_at: now,
    created_at: now,
  })
}

/** A link for an external approver of a waiting post. The row is found by the token. */
async function makeApprovalLink(app: Maker, home: TestHome): Promise<string> {
  const { orgId } = home
  const [postId, approvalId, token, now] = [
    await makePost(app, home),
    randomUUIDv7(),
    randomBytes(32).toString('base64url'),
    app.clock.now(),
  ]
  await app.database.owner.query("update post set state = 'NEEDS_APPROVAL' where id = $1", [postId])
  await putDelivery(app.database.owner, postId, { step: null, step_at: null })
  const { rows } = await app.database.owner.query<Content>('select * from post where id = $1', [postId])
  const steps = JSON.stringify([
    { needs: 'any', approvers: [{ kind: 'external', email: 'client@theirs.example', name: token }] },
  ])
  await insert(app, 'approval', {
    org_id: orgId,
    id: approvalId,
    post_id: postId,
    workflow_name: 'Theirs',
    steps,
    content_hash: rows[0] && contentHash(rows[0]),
    sent_by: home.person.personId,
    sent_at: now,
    step_at: now,
  })
  await insert(app, 'approval_link', {
    org_id: orgId,
    id: randomUUIDv7(),
    token_hash: hashToken(token),
    approval_id: approvalId,
    step: 0,
    email: 'client@theirs.example',
    name: token,
    created_at: now,
    expires_at: new Date(now.getTime() + 14 * 86_400_000),
  })
  return token
}

async function makeBoost(app: Maker, home: TestHome): Promise<string> {
  const postId = await makePost(app, home)
  const { rows } = await app.database.owner.query<{ channel_id: string }>(
    "update post set state = 'PUBLISHED', remote_id = '77_1' where id = $1 returning channel_id",
    [postId],
  )
  await putDelivery(app.database.owner, postId, { step: null, step_at: null })
  const now = app.clock.now()
  return await insert(app, 'boost', {
    org_id: home.orgId,
    id: randomUUID(),
    project_id: home.projectId,
    post_id: postId,
    channel_id: rows[0]?.channel_id,
    started_by: home.person.personId,
    state: 'ACTIVE',
    ad_account_id: 'act_1',
    ad_account_name: 'Theirs',
    audience_id: '1',
    audience_name: 'Theirs',
    currency: 'USD',
    minor_units: 100,
    budget: 1000,
    days: 5,
    post_type: 'post',
    post_remote_id: '77_1',
    created_at: now,
    updated_at: now,
  })
}

const inConversation = async (app: Maker, home: TestHome) => {
  const conversationId = await makeConversation(app, home)
  const { rows } = await app.database.owner.query<{ channel_id: string }>(
    'select channel_id from conversation where id = $1',
    [conversationId],
  )
  return { org_id: home.orgId, id: randomUUIDv7(), conversation_id: conversationId, channel_id: rows[0]?.channel_id }
}

const makeInboxItem = async (app: Maker, home: TestHome): Promise<string> =>
  await insert(app, 'inbox_item', {
    ...(await inConversation(app, home)),
    remote_id: randomUUID(),
    type: 'COMMENT',
    direction: 'received',
    text: 'Theirs',
    at: app.clock.now(),
    received_at: app.clock.now(),
  })

const makeReply = async (app: Maker, home: TestHome): Promise<string> =>
  await insert(app, 'reply', {
    ...(await inConversation(app, home)),
    author_id: home.person.personId,
    text: 'Theirs',
    state: 'FAILED',
    created_at: app.clock.now(),
  })

async function makeSchedule(app: Maker, home: TestHome): Promise<string> {
  const now = app.clock.now()
  return await insert(app, 'report_schedule', {
    org_id: home.orgId,
    id: randomUUIDv7(),
    project_id: home.projectId,
    report_id: await makeReport(app, home),
    owner_id: home.person.personId,
    frequency: 'weekly',
    day: 1,
    wall_time: '09:00',
    zone: 'UTC',
    wait_days: 0,
    next_due_at: new Date(now.getTime() + 7 * 86_400_000),
    created_at: now,
    updated_at: now,
  })
}

async function makeReportFile(app: Maker, home: TestHome): Promise<string> {
  const now = app.clock.now()
  const runId = await insert(app, 'report_run', {
    org_id: home.orgId,
    id: randomUUIDv7(),
    project_id: home.projectId,
    schedule_id: await makeSchedule(app, home),
    due_at: now,
    from_day: '2026-10-01',
    to_day: '2026-10-31',
    state: 'done',
    created_at: now,
  })
  return await insert(app, 'report_file', {
    org_id: home.orgId,
    id: randomUUIDv7(),
    run_id: runId,
    rights: JSON.stringify({ channelIds: null, posts: true, inbox: [], isAdmin: false }),
    media_key: `${home.orgId}/${randomUUIDv7()}`,
    bytes: 3,
    pages: 1,
    created_at: now,
  })
}

/**
 * By the parameter's name in the path. A new kind of object in a path needs an entry here, or the access test fails.
 */
export const objectKinds: Record<string, ObjectKind> = {
  channelId: { table: 'channel', make: makeChannel },
  postId: { table: 'post', make: makePost },
  assetId: {
    table: 'asset',
    make: (app, { orgId, projectId, person }) =>
      insert(app, 'asset', {
        org_id: orgId,
        id: randomUUIDv7(),
        project_id: projectId,
        state: 'ready',
        file_name: 'theirs.png',
        content_type: 'image/png',
        bytes: 3,
        width: 1,
        height: 1,
        store_key: 'theirs.png',
        created_at: app.clock.now(),
        created_by: person.personId,
      }),
  },
  id: {
    table: 'project',
    make: (app, { orgId, person }) =>
      insert(app, 'project', {
        org_id: orgId,
        id: randomUUIDv7(),
        name: `Theirs ${randomUUID().slice(0, 8)}`,
        zone: 'UTC',
        created_at: app.clock.now(),
        created_by: person.personId,
      }),
  },
  folderId: { table: 'asset_folder', make: (app, home) => insert(app, 'asset_folder', inTaxonomy(app, home)) },
  labelId: { table: 'label', make: (app, home) => insert(app, 'label', { ...inTaxonomy(app, home), color: 'blue' }) },
  campaignId: {
    table: 'campaign',
    make: (app, home) =>
      insert(app, 'campaign', { ...inTaxonomy(app, home), color: 'blue', created_by: home.person.personId }),
  },
  hashtagGroupId: {
    table: 'hashtag_group',
    make: (app, home) => insert(app, 'hashtag_group', { ...inTaxonomy(app, home), hash_tags: ['theirs'] }),
  },
  noteId: { table: 'note', make: makeNote },
  conversationId: { table: 'conversation', make: makeConversation },
  itemId: { table: 'inbox_item', make: makeInboxItem },
  replyId: { table: 'reply', make: makeReply },
  discussionId: {
    table: 'discussion',
    make: (app, { orgId, projectId, person }) =>
      insert(app, 'discussion', {
        org_id: orgId,
        id: randomUUIDv7(),
        project_id: projectId,
        title: 'Theirs',
        author_id: person.personId,
        created_at: app.clock.now(),
        last_at: app.clock.now(),
      }),
  },
  responseId: {
    table: 'canned_response',
    make: (app, { orgId, projectId, person }) =>
      insert(app, 'canned_response', {
        org_id: orgId,
        id: randomUUIDv7(),
        project_id: projectId,
        name: `Theirs ${randomUUID().slice(0, 8)}`,
        text: 'Theirs',
        author_id: person.personId,
        updated_at: app.clock.now(),
      }),
  },
  viewId: {
    table: 'saved_view',
    make: (app, home) =>
      insert(app, 'saved_view', {
        ...inTaxonomy(app, home),
        person_id: home.person.personId,
        page: 'posts',
        search: 'status=FAILED',
      }),
  },
  workflowId: {
    table: 'workflow',
    make: (app, home) =>
      insert(app, 'workflow', {
        ...inTaxonomy(app, home),
        steps: JSON.stringify([{ needs: 'any', approvers: [{ kind: 'role', roleId: home.roles.admin }] }]),
      }),
  },
  token: { table: 'approval_link', key: 'name', make: makeApprovalLink },
  code: {
    table: 'data_deletion',
    key: 'code',
    make: async (app, { orgId }) => {
      const code = randomBytes(12).toString('hex')
      const of = { code, platform: 'facebook', app_key: 'theirs', installed: false, org_ids: [orgId], user_id: '1' }
      await insert(app, 'data_deletion', { ...of, requested_at: app.clock.now() })
      return code
    },
  },
  address: {
    table: 'push_address',
    key: 'address',
    make: async (app) => {
      const address = randomUUID()
      const of = { platform: 'mastodon', account: address, key_id: 'unknown', sealed: randomBytes(40) }
      await insert(app, 'push_address', { ...of, address })
      return address
    },
  },
  // of an organization's own app, with the client ID that the walk calls
  owner: {
    table: 'app_credentials',
    key: 'org_id',
    make: async (app, { orgId, person }) => {
      const of = { org_id: orgId, platform: 'x', client_id: 'app-77', key_id: 'unknown', sealed: randomBytes(40) }
      await app.database.owner.query('delete from app_credentials where org_id = $1', [orgId])
      await insert(app, 'app_credentials', { ...of, set_by: person.personId, set_at: app.clock.now() })
      return orgId
    },
  },
  noticeId: {
    table: 'notice',
    make: (app, { orgId, projectId, person }) =>
      insert(app, 'notice', {
        org_id: orgId,
        id: randomUUIDv7(),
        person_id: person.personId,
        project_id: projectId,
        dedupe_key: randomUUIDv7(),
        ...failedPost(),
        created_at: app.clock.now(),
        updated_at: app.clock.now(),
      }),
  },
  pictureId: {
    table: 'person_picture',
    make: (app, { person }) =>
      insert(app, 'person_picture', {
        id: randomUUIDv7(),
        person_id: person.personId,
        bytes: Buffer.from('theirs'),
        created_at: app.clock.now(),
      }),
  },
  passkeyId: {
    table: 'passkey',
    make: (app, { person }) =>
      insert(app, 'passkey', {
        id: randomUUIDv7(),
        person_id: person.personId,
        credential_id: randomBytes(16),
        public_key: Buffer.from('theirs'),
        counter: 0,
        name: 'Theirs',
        created_at: app.clock.now(),
      }),
  },
  sessionId: {
    table: 'session',
    make: async (app, { person }) =>
      (
        await app.database.owner.query<{ id: string }>('select id from session where person_id = $1 limit 1', [
          person.personId,
        ])
      ).rows[0]?.id ?? '',
  },
  boostId: { table: 'boost', make: makeBoost },
  importId: {
    table: 'bulk_import',
    make: (app, { orgId, projectId, person }) =>
      insert(app, 'bulk_import', {
        org_id: orgId,
        id: randomUUIDv7(),
        project_id: projectId,
        name: 'Theirs',
        created_at: app.clock.now(),
        created_by: person.personId,
      }),
  },
  inviteId: { table: 'invite', make: makeInvite },
  roleId: {
    table: 'role',
    make: (app, { orgId, projectId }) =>
      insert(app, 'role', {
        org_id: orgId,
        id: randomUUIDv7(),
        project_id: projectId,
        name: `Theirs ${randomUUID().slice(0, 8)}`,
        kind: 'custom',
        permissions: '{"channel":["view"]}',
      }),
  },
  transactionId: {
    table: 'billing_transaction',
    make: (app, { orgId, person }) => {
      const at = app.clock.now()
      return insert(app, 'billing_transaction', {
        org_id: orgId,
        id: `txn_${randomUUIDv7()}`,
        provider: 'local',
        kind: 'checkout',
        status: 'paid',
        invoice_number: `TEST-${randomUUID()}`,
        items: '[]',
        currency_code: 'USD',
        tax_rate: 0,
        subtotal: 0,
        tax: 0,
        credit: 0,
        grand_total: 0,
        person_id: person.personId,
        created_at: at,
        occurred_at: at,
      })
    },
  },
  exportId: {
    table: 'org_export',
    make: (app, { orgId, person }) =>
      insert(app, 'org_export', {
        org_id: orgId,
        id: randomUUIDv7(),
        requested_by: person.personId,
        requested_at: app.clock.now(),
      }),
  },
  competitorId: {
    table: 'competitor',
    make: (app, { orgId, projectId }) => {
      const id = randomUUIDv7()
      const now = app.clock.now()
      return insert(app, 'competitor', {
        org_id: orgId,
        id,
        project_id: projectId,
        platform: 'bluesky',
        remote_id: `did:plc:${id.slice(-12)}`,
        name: 'Theirs',
        handle: '@theirs.example',
        added_at: now,
        seen_at: now,
      })
    },
  },
  goalId: {
    table: 'insight_goal',
    make: (app, { orgId, projectId }) =>
      insert(app, 'insight_goal', {
        org_id: orgId,
        id: randomUUIDv7(),
        project_id: projectId,
        name: 'Theirs',
        figure: 'followers',
        target: 1000,
        from_day: '2026-11-01',
        to_day: '2026-12-31',
        created_at: app.clock.now(),
      }),
  },
  reportId: { table: 'report', make: makeReport },
  scheduleId: { table: 'report_schedule', make: makeSchedule },
  recipientId: {
    table: 'report_recipient',
    make: async (app, home) =>
      insert(app, 'report_recipient', {
        org_id: home.orgId,
        id: randomUUIDv7(),
        schedule_id: await makeSchedule(app, home),
        email: 'client@theirs.example',
        token_hash: randomBytes(32),
        created_at: app.clock.now(),
      }),
  },
  fileId: { table: 'report_file', make: makeReportFile },
  mailId: {
    table: 'report_mail',
    make: async (app, home) => {
      const fileId = await makeReportFile(app, home)
      const { rows } = await app.database.owner.query<{ run_id: string }>(
        'select run_id from report_file where id = $1',
        [fileId],
      )
      return await insert(app, 'report_mail', {
        org_id: home.orgId,
        id: randomUUIDv7(),
        run_id: rows[0]?.run_id,
        recipient_id: randomUUIDv7(),
        email: 'client@theirs.example',
        file_id: fileId,
        message_id: '<theirs@rookery.test>',
        state: 'failed',
        at: app.clock.now(),
      })
    },
  },
  linkId: {
    table: 'report_link',
    make: async (app, home) =>
      insert(app, 'report_link', {
        org_id: home.orgId,
        id: randomUUIDv7(),
        report_id: await makeReport(app, home),
        name: 'Theirs',
        token_hash: randomBytes(32),
        person_id: home.person.personId,
        created_at: app.clock.now(),
        expires_at: new Date(app.clock.now().getTime() + 86_400_000),
      }),
  },
  logoId: {
    table: 'organization_brand',
    key: 'logo_id',
    make: async (app, { orgId }) => {
      const id = randomUUIDv7()
      await insert(app, 'organization_brand', {
        org_id: orgId,
        logo_id: id,
        logo: randomBytes(8),
        updated_at: app.clock.now(),
      })
      return id
    },
  },
  pageId: {
    table: 'bio_page',
    make: (app, { orgId, projectId }) =>
      insert(app, 'bio_page', {
        org_id: orgId,
        id: randomUUIDv7(),
        project_id: projectId,
        name: 'Theirs',
        theme: 'paper',
        live: true,
        created_at: app.clock.now(),
        updated_at: app.clock.now(),
      }),
  },
  userId: {
    table: 'member',
    key: 'person_id',
    make: async (app, home) => (await app.colleague(home, 'none')).personId,
  },
}
