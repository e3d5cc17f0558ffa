import { crossFlowFaults } from './cross-flow.ts'
import type { Fault } from './fault.ts'
import { skidCabinetFaults } from './skid-cabinet.ts'

/** UniFlux: cross-flow filtration on a stainless skid, with heating jacket and permeate UV. */
export const unifluxFaults: readonly Fault[] = [
  ...crossFlowFaults,
  {
    component: 'UV monitor (QIA-401)',
    errorCode: 2041,
    severity: 'high',
    alertType: 1,
    title: 'Product in the permeate',
    detail: 'Permeate absorbance {120-640} mAU, limit 100 mAU, during “{method}”.',
    userMessage: 'Product passes the membranes. The permeate has been led back into the tank.',
    steps: ['Take a permeate sample.', 'Stop the concentration and test the integrity of the membranes.'],
    remedy: 'Replace the membrane cassette that leaks.',
    during: ['run'],
    weight: 3,
  },
  ...skidCabinetFaults,
]
