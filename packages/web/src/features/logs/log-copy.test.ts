import type { LogHit } from '@benchwatch/contract/logs'
import { expect, it } from 'vitest'
import { logColumns } from './log-columns.ts'
import { copiedLine, copiedLines } from './log-copy.ts'

const hit: LogHit = {
  _index: 'log-vid',
  _id: '1',
  sort: [0, '1'],
  _source: {
    '@timestamp': '2026-11-20T14:02:07.045Z',
    message: '=1+1 <b>',
    module: null,
    'log.level': 'INFO',
    'event.code': 'VID-100',
    'winlog.user.name': 'ada',
    'host.hostname': null,
  },
  highlight: { message: ['=1+1 &lt;<em>b</em>&gt;'] },
}

it('copies a line as it was written, with its instant and the fields of its log', () => {
  expect(copiedLine(hit, logColumns('VID'))).toBe('2026-11-20T14:02:07.045Z  INFO  -  VID-100  =1+1 <b>')
  expect(copiedLines([hit, hit], logColumns('VID')).split('\n')).toHaveLength(3)
})
