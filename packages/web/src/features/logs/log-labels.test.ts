import { logTypes } from '@benchwatch/contract/vocabulary'
import { expect, it } from 'vitest'
import { logLabel } from './log-labels.ts'

it('logs are called by their labels, those of clients with their computer', () => {
  const labels = logTypes.map((logType) => [logType, logLabel({ logType, computerName: null })])
  expect(Object.fromEntries(labels)).toEqual({
    VID: 'VID Service',
    COMM: 'VID Com',
    AUDITTRAIL: 'System Audit Trail',
    INSTRUMENTSERVER: 'Instr. Server Call Log',
    UNICORNCLIENT: 'Client Log',
    WINDOWSSYSTEMEVENT: 'System Event Log',
    EVENT: 'Event Log',
    CONNECTIVITY: 'Connectivity',
    THRESHOLD: 'Threshold',
    SYSTEMREPORT: 'System Report',
  })
  expect(logLabel({ logType: 'UNICORNCLIENT', computerName: 'PC-012' })).toBe('Client Log – PC-012')
})
