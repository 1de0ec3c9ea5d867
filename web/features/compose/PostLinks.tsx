import { lazy, Suspense, useCallback } from 'react'
import { Contained } from '#web/ui/Contained.tsx'
import { commentFor, type KnownLinks } from './checks.ts'
import { useComposer, useComposerState, useOptions, useVersion } from './ComposerContext.ts'
import { itemsFor, mayHaveLinks, planFor } from './doc.ts'

// most posts have no links. It shares nothing with the composer, which stays one file so
const PostLinksField = lazy(() => import('./PostLinksField.tsx'))

/** What becomes of the links of a post that may have any. */
export function PostLinks() {
  return useComposerState(({ doc }) => mayHaveLinks(doc)) ? <Found /> : null
}

function Found() {
  const { store, ids, channels, edited, liveOn } = useComposer()
  const shown = useVersion().channels
  const doc = useComposerState((state) => state.doc)
  const hasCampaigns = useOptions().campaigns
  const onKnown = useCallback((links: KnownLinks | undefined) => store.dispatch({ type: 'linksKnown', links }), [store])
  return (
    <Contained fallback={null}>
      <Suspense>
        <PostLinksField
          ids={ids}
          channels={channels}
          posts={shown.map((channel) => {
            const { mode, when } = planFor(doc, channel.channelId)
            return {
              channel,
              contents: itemsFor(doc, channel.channelId),
              firstComment: commentFor(doc, channel),
              details: doc.variants[channel.channelId]?.details ?? {},
              day: mode === 'once' ? when.day : null,
              zone: when.zone,
            }
          })}
          campaignIds={doc.campaignIds}
          campaigns={edited?.post.campaigns ?? []}
          hasCampaigns={hasCampaigns}
          isKept={liveOn !== undefined && !edited?.post.additionalDetails.linkFacts}
          onKnown={onKnown}
          onChange={(channelId, change) => {
            const entries = Object.entries({ ...store.state().doc.variants[channelId]?.details, ...change })
            const set = entries.filter(([, value]) => value !== undefined)
            store.dispatch({
              type: 'versionChanged',
              channelId,
              change: { details: set.length > 0 ? Object.fromEntries(set) : undefined },
            })
          }}
        />
      </Suspense>
    </Contained>
  )
}
