import { Page } from '#web/ui/Page.tsx'

export default function ChannelsScreen() {
  return <Page title="Platform Settings">This screen is not here yet.</Page>
}
