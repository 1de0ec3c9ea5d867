import type { CallerProject } from '../http/route.ts'
import type { Reader } from '../analytics/scope.ts'
import type { ReportDocument } from './document.ts'

/** Who reads a report: a caller, or someone without a session (standing.ts). */
export type DocumentReader = Reader & { project: CallerProject }
/** Opens a short transaction as the reader, with the rights of that moment. */
export type Opener = <T>(fn: (c: DocumentReader) => Promise<T>) => Promise<T>

/** Makes the document of a saved report as a person sees it now. Throws NOT_FOUND, PLAN_LIMIT. */
export type DocumentMaker = (order: {
  orgId: string
  projectId: string
  reportId: string
  personId: string
  /** The day that its days end before; today of the project's zone by default. */
  today?: string
}) => Promise<ReportDocument>
