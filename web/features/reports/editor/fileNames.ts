/** "November, for Harbor" as a file's name: "november-for-harbor". */
export function fileName(reportName: string): string {
  const name = reportName
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  return name || 'report'
}
