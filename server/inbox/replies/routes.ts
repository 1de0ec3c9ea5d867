import * as contract from '#contract/inbox/replies.ts'
import { handle, handleDetached, type Route } from '../../http/route.ts'
import { deleteItem, deleteReply, editReply, hideItem, reactToItem } from './change.ts'
import { confirmReply } from './confirm.ts'
import type { ReplyDeps } from './deliver.ts'
import { hideMany } from './hideMany.ts'
import { retryReply, sendReply } from './send.ts'

export function replyRoutes(deps: ReplyDeps): Route[] {
  return [
    handleDetached(contract.sendReply, (c) => sendReply(c, deps)),
    handleDetached(contract.editReply, (c) => editReply(c, deps)),
    handleDetached(contract.deleteReply, (c) => deleteReply(c, deps)),
    handleDetached(contract.retryReply, (c) => retryReply(c, deps)),
    handle(contract.confirmReply, confirmReply),
    handleDetached(contract.hideItem, (c) => hideItem(c, deps)),
    handleDetached(contract.hideInConversations, (c) => hideMany(c, deps)),
    handleDetached(contract.reactToItem, (c) => reactToItem(c, deps)),
    handleDetached(contract.deleteItem, (c) => deleteItem(c, deps)),
  ]
}
