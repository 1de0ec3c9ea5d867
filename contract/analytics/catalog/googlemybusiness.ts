import { freeToUse, toldWith, type PlatformFigures } from './define.ts'

// Business Profile Performance API: fetchMultiDailyMetricsTimeSeries, 18 months. Posts have no figures
const days = { delayHours: 120, historyDays: 540 }

export const googlemybusiness: PlatformFigures = {
  terms: freeToUse,
  competitors: { isPossible: false, reason: 'ownOnly' },
  zone: 'UTC',
  post: [],
  channel: toldWith(days, [
    ['impressions', 'Views on Google', 'BUSINESS_IMPRESSIONS_*'],
    ['mapImpressions', 'Views on Maps', 'BUSINESS_IMPRESSIONS_DESKTOP_MAPS, BUSINESS_IMPRESSIONS_MOBILE_MAPS'],
    ['searchImpressions', 'Views on Search', 'BUSINESS_IMPRESSIONS_DESKTOP_SEARCH, BUSINESS_IMPRESSIONS_MOBILE_SEARCH'],
    [
      'profileActions',
      'Interactions',
      'WEBSITE_CLICKS, CALL_CLICKS, BUSINESS_DIRECTION_REQUESTS, BUSINESS_CONVERSATIONS, BUSINESS_BOOKINGS',
    ],
    ['websiteClicks', 'Website clicks', 'WEBSITE_CLICKS'],
    ['callClicks', 'Calls', 'CALL_CLICKS'],
    ['directionRequests', 'Directions', 'BUSINESS_DIRECTION_REQUESTS'],
    ['chats', 'Messages', 'BUSINESS_CONVERSATIONS'],
    ['bookings', 'Bookings', 'BUSINESS_BOOKINGS'],
  ]),
}
