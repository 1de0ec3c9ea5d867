import * as actions from '#contract/inbox/actions.ts'
import * as canned from '#contract/inbox/cannedResponses.ts'
import * as contract from '#contract/inbox/conversations.ts'
import * as costs from '#contract/inbox/costs.ts'
import { inboxCounts } from '#contract/inbox/counts.ts'
import { inboxReplyTimes } from '#contract/inbox/replyTimes.ts'
import * as pushes from '#contract/inbox/pushes.ts'
import * as settings from '#contract/inbox/settings.ts'
import * as suggest from '#contract/inbox/suggest.ts'
import { openModel } from '../ai/model.ts'
import { readPriceOf } from '#contract/platforms/inboxRegistry.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { pictureLinks } from '../channels/foreignPictures.ts'
import type { Dependencies } from '../dependencies.ts'
import { daysOf } from '../rangeDays.ts'
import { fail } from '../errors.ts'
import { Rates } from '../http/rates.ts'
import { handle, handleBytes, handleDetached, type Route } from '../http/route.ts'
import { changeMany } from './bulk.ts'
import {
  createCannedResponse,
  deleteCannedResponse,
  editCannedResponse,
  listCannedResponses,
} from './cannedResponses.ts'
import { assign, judge, label, setRead, setStatus } from './change.ts'
import { readInboxChannels } from './channels.ts'
import { readChoices } from './choices.ts'
import { readCosts, setCostLimit } from './costs.ts'
import { countConversations } from './counts.ts'
import { describeDeletion, takeDeletionRequest } from './dataDeletion.ts'
import { answerChallenge, mustKnowApp, takeDelivery } from './deliveries.ts'
import { getConversation } from './get.ts'
import { listConversations } from './list.ts'
import { sayAnswering } from './presence.ts'
import { readNow } from './readNow.ts'
import { refreshConversation } from './refresh.ts'
import { readReplyTimes } from './replyTimes.ts'
import { changeSettings, readSettings } from './settings.ts'
import { suggestReplies } from './suggest.ts'
import { takePush } from './webPush.ts'

export function inboxRoutes(deps: Dependencies): Route[] {
  const link = pictureLinks(deps)
  const model = openModel(deps.env)
  const rates = new Rates(() => deps.clock.monotonic())
  return [
    handle(contract.listConversations, (c) => listConversations(c, c.query, link)),
    handle(inboxCounts, countConversations),
    handle(contract.inboxChannels, async (c) => ({ channels: await readInboxChannels(c) })),
    handle(costs.platformCosts, readCosts),
    handle(costs.setPlatformCost, async (c) => {
      const { platformName, monthlyLimit } = c.body
      if (readPriceOf(platformName) === null)
        throw fail('BAD_INPUT', { detail: `${platformLabel(platformName)} charges nothing for reading.` })
      const before = await setCostLimit(c, platformName, monthlyLimit)
      await c.audit({
        entityId: c.org.orgId,
        detail: { platformName, before: { monthlyLimit: before }, after: { monthlyLimit } },
      })
      await c.emit({ kind: 'organization', ref: c.org.orgId })
      return { message: monthlyLimit === null ? 'Reading stopped' : 'Limit saved' }
    }),
    handle(contract.getConversation, (c) => getConversation(c, c.params.conversationId, c.query, link)),

    handle(actions.setConversationStatus, async (c) => {
      const { version } = await setStatus(c, c.params.conversationId, c.body)
      return { version, message: statusWords[c.body.status] }
    }),
    handle(actions.assignConversation, async (c) => {
      const { version } = await assign(c, c.params.conversationId, c.body)
      return { version, message: c.body.userId === null ? 'Conversation unassigned' : 'Conversation assigned' }
    }),
    handle(actions.labelConversation, async (c) => {
      const { version } = await label(c, c.params.conversationId, c.body)
      return { version, message: 'Labels updated' }
    }),
    handle(actions.judgeConversation, async (c) => {
      const { version } = await judge(c, c.params.conversationId, c.body)
      return { version, message: 'Sentiment updated' }
    }),
    handle(actions.readConversation, async (c) => {
      await setRead(c, c.params.conversationId, c.body)
      return {}
    }),
    handle(actions.refreshConversation, async (c) => ({
      reading: await refreshConversation(c, deps.platforms, c.params.conversationId),
    })),
    handle(actions.readInboxNow, async (c) => {
      const channels = await readNow(c, deps.platforms)
      return {
        channels,
        message:
          channels === 0
            ? 'Everything that can be read was read a moment ago'
            : `Reading ${channels} ${channels === 1 ? 'channel' : 'channels'}`,
      }
    }),
    handle(actions.conversationChoices, readChoices),
    handle(actions.changeConversations, (c) => changeMany(c, c.body)),
    handle(actions.answeringConversation, sayAnswering),

    handle(settings.inboxSettings, readSettings),
    handle(settings.changeInboxSettings, async (c) => {
      await changeSettings(c, c.body)
      return { message: 'Inbox settings saved' }
    }),

    handle(inboxReplyTimes, (c) => readReplyTimes(c, daysOf(c.query.rangeType, c.now, c.project.zone))),

    handle(canned.listCannedResponses, async (c) => ({ responses: await listCannedResponses(c) })),
    handle(canned.createCannedResponse, async (c) => ({
      responseId: await createCannedResponse(c, c.body),
      message: 'Canned response created',
    })),
    handle(canned.editCannedResponse, async (c) => {
      await editCannedResponse(c, c.params.responseId, c.body)
      return { message: 'Canned response updated' }
    }),
    handle(canned.deleteCannedResponse, async (c) => {
      await deleteCannedResponse(c, c.params.responseId)
      return { message: 'Canned response deleted' }
    }),

    handleDetached(suggest.suggestReplies, (c) =>
      suggestReplies(c, { model, log: deps.log, databases: deps.databases }),
    ),

    ...[pushes.inboxDelivery, pushes.ownInboxDelivery].map((endpoint) =>
      handle(
        endpoint,
        async ({ params, request, body }) => {
          await takeDelivery({ ...deps, rates }, params, textHeaders(request), body)
          return {}
        },
        { beforeBody: (params) => mustKnowApp(deps, params) },
      ),
    ),
    handle(pushes.inboxPush, async ({ params, request, body }) => {
      await takePush(deps, params, textHeaders(request), body)
      return {}
    }),
    handle(pushes.requestDataDeletion, ({ params, body }) => takeDeletionRequest(deps, params, body), {
      beforeBody: (params) => mustKnowApp(deps, params),
    }),
    handleBytes(pushes.dataDeletionStatus, ({ params }) => describeDeletion(deps, params.code)),
    handleBytes(pushes.inboxChallenge, (c) => answerChallenge(deps, c.params, c.query)),
    handleBytes(pushes.ownInboxChallenge, (c) => answerChallenge(deps, c.params, c.query)),
  ]
}

/** The headers that came once. */
const textHeaders = ({ headers }: { headers: Record<string, string | string[] | undefined> }): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

const statusWords = {
  OPEN: 'Conversation opened',
  FOLLOWUP: 'Follow-up scheduled',
  CLOSED: 'Conversation closed',
} as const
