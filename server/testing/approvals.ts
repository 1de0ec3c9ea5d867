import { editPost, getPost } from '#contract/posts.ts'
import { submitPost } from '#contract/submit.ts'
import { approvePost, createWorkflow, rejectPost, type WorkflowStep } from '#contract/workflows.ts'
import { workflowJobs } from '../workflows/jobs.ts'
import type { TestHome, TestPerson } from './people.ts'
import { TOMORROW, type TestSchedule } from './posts.ts'
import { runJobs } from './runJobs.ts'
import type { TestApp } from './startApp.ts'
import { storedNotifications } from './notifications.ts'

let made = 0

/** Workflows, and posts waiting in them, for tests of approvals. */
export function approvalsOn(app: TestApp) {
  const { call } = app

  async function workflow(home: TestHome, steps: WorkflowStep[], as = home.person): Promise<string> {
    return (await call(createWorkflow, { params: home.params, body: { name: `Workflow ${++made}`, steps } }, { as }))
      .workflowId
  }

  /** A post that waits in the workflow. Returns its ID. */
  async function ask(
    home: TestHome,
    {
      channelId,
      workflowId,
      as = home.person,
      text = 'May we publish this?',
      schedule = TOMORROW,
      media = [],
    }: {
      channelId: string
      workflowId: string
      as?: TestPerson
      text?: string
      schedule?: TestSchedule
      media?: { assetId: string; altText?: string }[]
    },
  ): Promise<string> {
    const body = {
      intent: 'NEEDS_APPROVAL' as const,
      channels: [{ channelId, postType: 'post' as const, contents: [{ text, media }] }],
      schedule,
      workflowId,
    }
    return (await call(submitPost, { params: home.params, body }, { as })).posts[0]?.postId ?? ''
  }

  const version = async (home: TestHome, postId: string): Promise<number> =>
    (await call(getPost, { params: { ...home.params, postId } }, { as: home.person })).version
  const status = async (home: TestHome, postId: string): Promise<string> =>
    (await call(getPost, { params: { ...home.params, postId } }, { as: home.person })).status

  /** Decides on the current version, or another one. */
  async function approve(
    home: TestHome,
    postId: string,
    as: TestPerson,
    more: { version?: number; comment?: string } = {},
  ) {
    return await call(
      approvePost,
      { params: { ...home.params, postId }, body: { version: await version(home, postId), ...more } },
      { as },
    )
  }
  async function reject(home: TestHome, postId: string, as: TestPerson, comment = 'Not like this') {
    return await call(
      rejectPost,
      { params: { ...home.params, postId }, body: { version: await version(home, postId), comment } },
      { as },
    )
  }
  async function say(home: TestHome, postId: string, text: string, as = home.person) {
    return await call(
      editPost,
      {
        params: { ...home.params, postId },
        body: { version: await version(home, postId), contents: [{ text, media: [] }] },
      },
      { as },
    )
  }

  /** Sends the pending emails to external approvers; returns the token of the newest link to this address. */
  async function mailed(email: string): Promise<string> {
    await runJobs(app, workflowJobs(app.parts))
    const mail = app.outbox.findLast(({ to }) => to === email)
    return /\/approve\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  }

  /** The titles of a person's notifications, newest last. */
  async function notices(who: TestPerson): Promise<string[]> {
    const theirs = await storedNotifications(app.database.owner, 'person_id = $1', [who.personId])
    return theirs.map(({ title }) => title)
  }

  return { workflow, ask, version, status, approve, reject, say, mailed, notices }
}
