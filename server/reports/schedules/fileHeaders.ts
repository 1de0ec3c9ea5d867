/** What a report's PDF is sent with: it's downloaded under its name, kept by no cache, and listed by no search engine. */
export const fileHeaders = (fileName: string): Record<string, string> => ({
  'content-disposition': `attachment; filename="${fileName.replaceAll(/[^\x20-\x7e]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-robots-tag': 'noindex',
})
