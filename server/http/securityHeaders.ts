const TWO_YEARS = 63_072_000

/** Browser features that no page or frame of ours gets: the product uses none of them. */
const UNUSED = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'serial',
  'usb',
]

type Settings = { publicUrl: string; HSTS_SUBDOMAINS: boolean }

/**
 * Headers of every reply, pages and API alike. HSTS only where people reach the product by https, and for the names below
 * only if the operator asks for it: others may be served there, by http.
 */
export const securityHeaders = ({ publicUrl, HSTS_SUBDOMAINS: all }: Settings): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': UNUSED.map((feature) => `${feature}=()`).join(', '),
  ...(publicUrl.startsWith('https:') && {
    'strict-transport-security': `max-age=${TWO_YEARS}${all ? '; includeSubDomains' : ''}`,
  }),
})
