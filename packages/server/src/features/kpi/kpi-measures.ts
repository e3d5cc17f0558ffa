import type { KpiMeasure } from '@benchwatch/contract/vocabulary'
import { readUsageDue } from '../usage/usage.lookup.ts'
import {
  readCloseReasons,
  readEventRate,
  readFamilies,
  readNoisiestInstruments,
  readOpenByAge,
  readResponse,
  readResponseByCustomer,
  readResponseByOwner,
  readSla,
  readTopErrors,
} from './counted-events.queries.ts'
import { readGatewayUptime } from './kpi-customers.queries.ts'
import { type KpiMeasureDefinition, measure } from './kpi-measure.ts'

/** Components that are due within this many days count as due soon. */
export const USAGE_DUE_DAYS = 60
/** More rows than anyone reads; a large fleet has thousands. */
export const MOST_USAGE_DUE = 200

const bySeverity = {
  high: ['High', 'number'],
  medium: ['Medium', 'number'],
  low: ['Low', 'number'],
  total: ['All', 'number'],
} as const

const responseTimes = {
  events: ['Events', 'number'],
  acknowledged: ['Acknowledged', 'number'],
  acknowledgeMedian: ['Median to acknowledge', 'seconds'],
  acknowledgeP90: ['90% acknowledged within', 'seconds'],
  closed: ['Closed', 'number'],
  closeMedian: ['Median to close', 'seconds'],
  closeP90: ['90% closed within', 'seconds'],
} as const

/**
 * The measures of the built-in dashboard. All but open work, gateways and usage cover the events that were created in
 * the selected period, so that their numbers add up (docs/kpi.md).
 */
export const measures: Record<KpiMeasure, KpiMeasureDefinition> = {
  'event-rate': measure({ columns: { day: ['Day', 'day'], ...bySeverity }, read: readEventRate }),
  'response-by-owner': measure({
    columns: { owner: ['Owner', 'text'], ...responseTimes },
    read: readResponseByOwner,
    note: 'Grouped by current owner. Times run from creation to the first claim by a person, and to closing.',
  }),
  'response-by-customer': measure({
    columns: { customer: ['Customer', 'text'], ...responseTimes },
    read: readResponseByCustomer,
    note: 'Times run from creation to the first claim by a person, and to closing.',
  }),
  'open-by-age': measure({
    columns: { age: ['Age', 'text'], ...bySeverity },
    read: readOpenByAge,
    note: 'Current state, regardless of the date range.',
  }),
  'close-reasons': measure({
    columns: { reason: ['Reason', 'text'], events: ['Events', 'number'], share: ['Share', 'share'] },
    read: readCloseReasons,
  }),
  'top-errors': measure({
    columns: {
      error: ['Error id', 'text'],
      type: ['Instrument type', 'text'],
      description: ['Description', 'text'],
      events: ['Events', 'number'],
      share: ['Share', 'share'],
      closeMedian: ['Median to close', 'seconds'],
    },
    read: readTopErrors,
    note: 'The 20 most frequent errors. Shares refer to all events.',
  }),
  'top-families': measure({
    columns: { family: ['Family', 'text'], ...bySeverity, share: ['Share', 'share'] },
    read: readFamilies,
  }),
  'noisiest-instruments': measure({
    columns: {
      instrument: ['Installed product ID', 'text'],
      name: ['Instrument', 'text'],
      customer: ['Customer', 'text'],
      events: ['Events', 'number'],
      high: ['High', 'number'],
      open: ['Open', 'number'],
      repeats: ['Repeats', 'number'],
      share: ['Share', 'share'],
    },
    read: readNoisiestInstruments,
    note: 'The 20 instruments with the most events. Repeats are alarms that were counted on an open event.',
  }),
  sla: measure({
    columns: {
      customer: ['Customer', 'text'],
      events: ['Events', 'number'],
      kept: ['Met', 'number'],
      missed: ['Missed', 'number'],
      running: ['Running', 'number'],
      share: ['Met of decided', 'share'],
    },
    read: readSla,
    note: 'Met: acknowledged, or closed by the system, within 24 hours of creation. Running: not due yet.',
  }),
  'gateway-uptime': measure({
    columns: {
      gateway: ['Gateway', 'text'],
      customer: ['Customer', 'text'],
      site: ['Site', 'text'],
      uptime: ['Uptime', 'share'],
      silences: ['Outages', 'number'],
      longest: ['Longest outage', 'seconds'],
      silentSince: ['Offline since', 'instant'],
    },
    read: readGatewayUptime,
    note: 'Share of time in which a gateway was online, starting with its first report.',
  }),
  'usage-due': measure({
    columns: {
      instrument: ['Installed product ID', 'text'],
      name: ['Instrument', 'text'],
      customer: ['Customer', 'text'],
      component: ['Component', 'text'],
      metric: ['Metric', 'text'],
      used: ['Used', 'share'],
      state: ['State', 'text'],
      due: ['Due', 'day'],
    },
    read: (db, { scope, now }) => readUsageDue(db, { scope, now, withinDays: USAGE_DUE_DAYS, most: MOST_USAGE_DUE }),
    note: `Current state: components that are due, or will be due within ${USAGE_DUE_DAYS} days at the present rate of use.`,
    flags: ['ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS'],
  }),
  response: measure({
    columns: responseTimes,
    read: readResponse,
    note: 'Times run from creation to the first claim by a person, and to closing.',
  }),
}
