import type { LogHit } from '@benchwatch/contract/instruments/logs'

type Texts = Omit<LogHit['_source'], '@timestamp'>

/** Returns a log line as in a server response; `at` is in ms since the epoch or an ISO timestamp. */
export function aLogHit({
  id = 1,
  at = '2026-11-20T14:02:00.000Z',
  highlight = null,
  ...texts
}: Partial<Texts> & { id?: number; at?: number | string; highlight?: LogHit['highlight'] } = {}): LogHit {
  const instant = new Date(at)
  return {
    _index: 'log-vid',
    _id: String(id),
    sort: [instant.getTime(), String(id)],
    _source: {
      '@timestamp': instant.toISOString(),
      message: `line ${id}`,
      module: 'P9-B',
      'log.level': 'INFO',
      'event.code': 'VID-100',
      'winlog.user.name': null,
      'host.hostname': null,
      ...texts,
    },
    highlight,
  }
}
