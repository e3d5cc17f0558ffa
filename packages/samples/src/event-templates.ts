import type { EventTemplateInput } from '@benchwatch/contract/registry'
import type { InstrumentType } from '@benchwatch/contract/vocabulary'
import { aktaAvantFaults } from './faults/akta-avant.ts'
import { aktaPilotFaults } from './faults/akta-pilot.ts'
import { aktaPureFaults } from './faults/akta-pure.ts'
import { type Fault, templateIdOf } from './faults/fault.ts'
import { wave25Faults } from './faults/wave-25.ts'
import type { Keyed } from './registry-objects.ts'

/** What can go wrong on each type of instrument. */
export const faultsByType: Readonly<Record<InstrumentType, readonly Fault[]>> = {
  AKTAAvant: aktaAvantFaults,
  AKTAPure: aktaPureFaults,
  AKTAGo: aktaPureFaults,
  AKTAPilot600: aktaPilotFaults,
  AKTAPilot: aktaPilotFaults,
  AKTAOligosynt: aktaPilotFaults,
  AKTAProcess: aktaPilotFaults,
  AKTAProcessCFG: aktaPilotFaults,
  AKTAReady: aktaPilotFaults,
  AKTAReadyXL: aktaPilotFaults,
  AKTAReady450: aktaPilotFaults,
  AKTAReadyFlux: aktaPilotFaults,
  AKTAReadyFluxXL: aktaPilotFaults,
  UniFlux: aktaPilotFaults,
  Wave25: wave25Faults,
  BioProcessIC: aktaPilotFaults,
}

/** Every fault as the event template that the registry keeps under `<instrumentType>/<templateId>`. */
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
