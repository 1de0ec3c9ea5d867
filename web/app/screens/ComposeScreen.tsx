import { Page } from '#web/ui/Page.tsx'

export default function ComposeScreen() {
  return <Page title="Create post">This screen is not here yet.</Page>
}
