import { aLogHit } from '@benchwatch/samples/log-hit'
import { expect, it } from 'vitest'
import { logColumns } from './log-columns.ts'
import { copiedLine, copiedLines } from './log-copy.ts'

const hit = aLogHit({
  at: '2026-11-20T14:02:07.045Z',
  message: '=1+1 <b>',
  module: null,
  'winlog.user.name': 'ada',
  highlight: { message: ['=1+1 &lt;<em>b</em>&gt;'] },
})

it('copies a line as it was written, with its instant and the fields of its log', () => {
  expect(copiedLine(hit, logColumns('VID'))).toBe('2026-11-20T14:02:07.045Z  INFO  -  VID-100  =1+1 <b>')
  expect(copiedLines([hit, hit], logColumns('VID')).split('\n')).toHaveLength(3)
})
