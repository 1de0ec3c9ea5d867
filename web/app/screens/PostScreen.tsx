import { Page } from '#web/ui/Page.tsx'

export default function PostScreen() {
  return <Page title="Post">This screen is not here yet.</Page>
}
