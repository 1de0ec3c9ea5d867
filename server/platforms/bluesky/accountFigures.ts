import { z } from 'zod'
import { reported, type AccountFigures } from '../platform.ts'
import { READ_TIMEOUT_MS } from './records.ts'
import { refusalOf } from './refusals.ts'
import { tokenOf, withSecret } from './secret.ts'
import { xrpc } from './xrpc.ts'

const Count = z.int().nonnegative().nullable().catch(null)
const Counts = z.object({ followersCount: Count, postsCount: Count })

/** Current values only: the network keeps no history. */
export const accountFigures: AccountFigures = {
  snapshot: withSecret(async (reach, session) => {
    const found = await xrpc(reach, {
      service: session.pds,
      nsid: 'app.bsky.actor.getProfile',
      params: { actor: session.did },
      as: tokenOf(session),
      reply: Counts,
      timeoutMs: READ_TIMEOUT_MS,
    })
    if (found.kind !== 'ok') return refusalOf(found, { doing: 'show-figures', irreversible: false })
    return {
      kind: 'snapshot',
      figures: reported({ followers: found.value.followersCount, posts: found.value.postsCount }),
    }
  }),
}
