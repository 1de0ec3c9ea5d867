import { useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { linkFactsOf, withLinkFacts } from '#contract/links/fill.ts'
import { linkRules } from '#contract/links/apply.ts'
import { shortAddress } from '#contract/links/shortCode.ts'
import { linkTarget } from '#contract/links/sentLinks.ts'
import type { LinkSetting, LinkSettings } from '#contract/links/settings.ts'
import { wallOf } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Field } from '#web/ui/Field.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { ResultingLink } from '#web/ui/ResultingLink.tsx'

type Props = {
  setting: LinkSetting
  /** In whose posts the link is; without one, an example. */
  channel: Pick<Channel, 'platformName' | 'handle' | 'channelName'> | undefined
  hosts: Pick<LinkSettings, 'shortUrl' | 'ownHosts'>
}

const EXAMPLE = 'https://www.example.com/autumn?color=red'

/** What a link would become, as people type the tags. */
export function LinkPreview({ setting, channel, hosts }: Props) {
  const [link, setLink] = useState(EXAMPLE)
  const now = useNow()
  const zone = useProjectZone()
  const facts = linkFactsOf(
    { handle: channel?.handle ?? 'acme', name: channel?.channelName ?? 'Acme' },
    { campaign: 'Autumn sale', ...hosts },
  )
  const rules = linkRules(withLinkFacts({}, setting, facts), channel?.platformName ?? 'linkedin', wallOf(now, zone).day)
  const target = rules && linkTarget(link.trim(), rules)
  return (
    <div className="grid gap-3 rounded-md border border-line bg-sunken p-3">
      <Field label="Try it with a link">
        <TextInput
          value={link}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target: input }) => setLink(input.value)}
        />
      </Field>
      <output className="grid gap-1">
        <span className="text-sm font-semibold">
          {channel ? `In a post of ${channel.handle || channel.channelName}` : 'In a post'}
        </span>
        <ResultingLink
          address={link.trim()}
          target={target}
          short={rules?.shorten ? shortAddress(hosts.shortUrl, '…') : undefined}
        />
      </output>
    </div>
  )
}
