import { randomUUID } from 'node:crypto'
import type { InboxActions, InboxReplies, OutgoingReply } from '../platforms/inbox.ts'
import { scriptedPlatform, type Scripted } from './scriptedPlatform.ts'

/** A platform in memory that accepts replies, scripted by a test. By default everything succeeds. */
export type ScriptedInbox = Scripted & {
  /** The calls, as `step text`. */
  calls: string[]
  /** Replies on the platform. Sending a key again adds a second one. */
  replies: { remoteId: string; key: string; text: string; reply: OutgoingReply }[]
  /** Our reactions and hidden items, by remote ID. */
  reactions: Map<string, string | null>
  hidden: Map<string, boolean>
  removed: string[]
}

export function scriptedInbox(script: Partial<InboxReplies> = {}, actions: Partial<InboxActions> = {}): ScriptedInbox {
  const calls: string[] = []
  const replies: ScriptedInbox['replies'] = []
  const reactions: ScriptedInbox['reactions'] = new Map()
  const hidden: ScriptedInbox['hidden'] = new Map()
  const removed: string[] = []
  const own: InboxReplies = {
    chooseSendKey: () => randomUUID(),
    sendIsRepeatable: false,
    send: async (_reach, _secret, _account, reply) => {
      const remoteId = `reply ${replies.length + 1} ${reply.sendKey}`
      replies.push({ remoteId, key: reply.sendKey, text: reply.text, reply })
      return { kind: 'sent', remoteId, progress: {} }
    },
    reconcile: async (_reach, _secret, _account, reply) => {
      const found = replies.find(({ key }) => key === reply.sendKey)
      return found ? { kind: 'sent', remoteId: found.remoteId, progress: {} } : { kind: 'absent' }
    },
    remove: async (_reach, _secret, _account, remoteId) => {
      removed.push(remoteId)
      return { kind: 'removed' }
    },
    edit: async (_reach, _secret, _account, remoteId, text) => {
      for (const one of replies) if (one.remoteId === remoteId) one.text = text
      return { kind: 'edited', remoteId }
    },
    ...script,
  }
  return {
    ...scriptedPlatform(),
    calls,
    replies,
    reactions,
    hidden,
    removed,
    inbox: {
      reads: [],
      read: async () => ({ kind: 'read', changes: [], cursor: {}, more: false }),
      replies: {
        ...own,
        send: async (reach, secret, account, reply) => {
          calls.push(`send ${reply.text}`)
          return await own.send(reach, secret, account, reply)
        },
        reconcile: async (reach, secret, account, reply) => {
          calls.push(`reconcile ${reply.text}`)
          return await own.reconcile(reach, secret, account, reply)
        },
      },
      actions: {
        react: async (_reach, _secret, _account, item, reaction) => {
          reactions.set(item.remoteId, reaction)
          return { kind: 'done' }
        },
        hide: async (_reach, _secret, _account, item, isHidden) => {
          hidden.set(item.remoteId, isHidden)
          return { kind: 'done' }
        },
        remove: async (_reach, _secret, _account, item) => {
          removed.push(item.remoteId)
          return { kind: 'done' }
        },
        ...actions,
      },
    },
  }
}
