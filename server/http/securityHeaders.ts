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

/** Headers of every reply, pages and API alike. HSTS only where people reach the product by https. */
export const securityHeaders = (publicUrl: string): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': UNUSED.map((feature) => `${feature}=()`).join(', '),
  ...(publicUrl.startsWith('https:') && {
    'strict-transport-security': `max-age=${TWO_YEARS}; includeSubDomains`,
  }),
})
