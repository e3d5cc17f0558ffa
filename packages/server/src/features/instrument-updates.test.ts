import { expect, test } from 'vitest'
import { instrumentUpdates } from './instrument-updates.ts'

const instrument = { id: 7, installedProductId: 'IP-7', customerId: 3 }

test('announces each changed property to users who see the customer, and no unchanged one', () => {
  const head = { id: '7', instrumentInstalledProductId: 'IP-7' }
  const of = { entity: 'instrument', action: 'update' }
  const audience = { customerId: 3 }
  expect(
    instrumentUpdates(instrument, {
      instrumentStatus: 'running',
      orcStatus: undefined,
      unknownAt: new Date('2026-03-01T08:00:00Z'),
      maintenances: [],
    }),
  ).toEqual([
    { audience, message: { ...of, property: 'instrumentStatus', payload: { ...head, instrumentStatus: 'running' } } },
    {
      audience,
      message: { ...of, property: 'unknownAt', payload: { ...head, unknownAt: '2026-03-01T08:00:00.000Z' } },
    },
    { audience, message: { ...of, property: 'maintenances', payload: { ...head, maintenances: [] } } },
  ])
  expect(instrumentUpdates(instrument, {})).toEqual([])
})

test('announces that a value is known again', () => {
  expect(instrumentUpdates(instrument, { orcStatus: 'Connected', unknownAt: null })).toMatchObject([
    { message: { property: 'orcStatus', payload: { orcStatus: 'Connected' } } },
    { message: { property: 'unknownAt', payload: { unknownAt: null } } },
  ])
})
