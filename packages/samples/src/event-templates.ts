import type { EventTemplateInput } from '@benchwatch/contract/administration/registry'
import type { InstrumentType } from './equipment/instrument-type.ts'
import { aktaAvantFaults } from './faults/akta-avant.ts'
import { aktaGoFaults } from './faults/akta-go.ts'
import { aktaOligosyntFaults } from './faults/akta-oligosynt.ts'
import { aktaPilotFaults } from './faults/akta-pilot.ts'
import { aktaProcessFaults } from './faults/akta-process.ts'
import { aktaPureFaults } from './faults/akta-pure.ts'
import { aktaReadyFaults } from './faults/akta-ready.ts'
import { bioprocessIcFaults } from './faults/bioprocess-ic.ts'
import { readyfluxFaults } from './faults/cross-flow.ts'
import { type Fault, templateIdOf } from './faults/fault.ts'
import { unifluxFaults } from './faults/uniflux.ts'
import { wave25Faults } from './faults/wave-25.ts'
import type { Keyed } from './registry-objects.ts'

/** Possible faults by instrument type. */
export const faultsByType: Readonly<Record<InstrumentType, readonly Fault[]>> = {
  AKTAAvant: aktaAvantFaults,
  AKTAPure: aktaPureFaults,
  AKTAGo: aktaGoFaults,
  AKTAPilot600: aktaPilotFaults,
  AKTAPilot: aktaPilotFaults,
  AKTAOligosynt: aktaOligosyntFaults,
  AKTAProcess: aktaProcessFaults,
  AKTAProcessCFG: aktaProcessFaults,
  AKTAReady: aktaReadyFaults,
  AKTAReadyXL: aktaReadyFaults,
  AKTAReady450: aktaReadyFaults,
  AKTAReadyFlux: readyfluxFaults,
  AKTAReadyFluxXL: readyfluxFaults,
  UniFlux: unifluxFaults,
  Wave25: wave25Faults,
  BioProcessIC: bioprocessIcFaults,
}

/** Returns each fault as the event template that the registry stores under `<instrumentType>/<templateId>`. */
export function eventTemplates(): Keyed<EventTemplateInput>[] {
  return Object.entries(faultsByType).flatMap(([type, faults]) =>
    faults.map((fault) => ({
      key: `${type}/${templateIdOf(fault)}`,
      input: {
        severity: fault.severity,
        description: fault.title,
        userMessage: fault.userMessage,
        troubleshooting: `<ol>${fault.steps.map((step) => `<li>${escapeHtml(step)}</li>`).join('')}</ol>`,
        remedy: `<p>${escapeHtml(fault.remedy)}</p>`,
      },
    })),
  )
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}
