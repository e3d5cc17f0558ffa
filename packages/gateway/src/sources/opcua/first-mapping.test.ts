import { expect, it } from 'vitest'
import { readSources } from '../../source-file.ts'
import { firstMapping, type Survey } from './first-mapping.ts'

const survey: Survey = {
  endpoint: 'opc.tcp://10.1.2.3:4840',
  name: 'ferm-hall',
  security: { mode: 'SignAndEncrypt', policy: 'Basic256Sha256' },
  offered: ['none', 'SignAndEncrypt with Basic256Sha256'],
  devices: [],
  objects: [{ name: 'Tank "1"', node: 'nsu=http://maker/;s=Tank "1"' }],
  conditions: [{ name: 'Level\n- high', source: 'Tank', type: 'ExclusiveLimitAlarmType' }],
  numbers: [{ name: 'TankLevel', node: 'nsu=http://maker/;s=TankLevel', value: 0.5 }],
}

it('is a file that the gateway accepts, with the whole server as one instrument', () => {
  expect(readSources(firstMapping(survey))).toMatchObject({
    sources: [
      { kind: 'opcua', name: 'ferm-hall', security: survey.security, devices: [{ instrument: 'IP-00000000' }] },
    ],
  })
})

it('names each LADS device and counts its hours', () => {
  const device = {
    name: 'Freezer',
    serialNumber: 'FRZ 08/15',
    maker: 'Frost & Sons',
    units: ['Cooling'],
    counters: ['OperationDuration', 'Cycles'],
  }
  const read = readSources(firstMapping({ ...survey, security: 'none', devices: [device] }))
  expect(read).toMatchObject({
    sources: [{ security: 'none', devices: [{ instrument: 'IP-FRZ0815', lads: { serialNumber: 'FRZ 08/15' } }] }],
  })
  expect(firstMapping({ ...survey, devices: [device] })).toContain('metric: "OperationDuration", unit: h')
})

it('accepts the values that it lists when they are uncommented', () => {
  const text = firstMapping(survey).replaceAll(/^( *)# (values:|  - \{ node)/gm, '$1$2')
  expect(readSources(text)).toMatchObject({ sources: [{ values: [{ as: 'TankLevel', every: 3_600_000 }] }] })
})
