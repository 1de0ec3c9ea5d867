/** What a report's file is sent with: it's downloaded under its name, kept by no cache, and listed by no search engine. */
export const fileHeaders = (fileName: string): Record<string, string> => ({
  'content-disposition': `attachment; filename="${fileName.replaceAll(/[^\x20-\x7e]|%/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName).replaceAll(/[!'()*]/g, escaped)}`,
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-robots-tag': 'noindex',
})
const escaped = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`

/** "Month 2026-11-30.pdf", without what file systems refuse. */
export const fileNameOf = (name: string, to: string, type: 'pdf' | 'xlsx' | 'csv'): string =>
  `${
    name
      .replaceAll(/[\p{Cc}\p{Cf}"*/:<>?\\|]+/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim() || 'Report'
  } ${to}.${type}`
