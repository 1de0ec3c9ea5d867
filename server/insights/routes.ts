import { postReport } from '#contract/insights.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { handle, type Route } from '../http/route.ts'
import type { Platform } from '../platforms/platform.ts'
import { reportPost } from './report.ts'

export const insightRoutes = ({ platforms }: { platforms: (key: PlatformKey) => Platform | undefined }): Route[] => [
  handle(postReport, (c) => reportPost(c, platforms)),
]
