import { COMPONENT_MODULE } from '@benchwatch/contract/patterns'
import type { AlertType, Severity } from '@benchwatch/contract/vocabulary'

/** What an instrument is doing while a fault can show. */
export type Situation = 'idle' | 'starting' | 'run' | 'wash'

/**
 * One thing that can go wrong on an instrument: what its event template says, and how often it shows when.
 *
 * `detail` may hold `{6.1-6.9}` (a number of that range with as many decimals as are written) and `{method}` (the
 * method or culture that is running). The instrument sends `<title>. <detail>` as description; the registered
 * template, which knows no measured value, says `<title>`.
 */
export interface Fault {
  /** Name with the module in parentheses at its end: `Pump B (P9-B)`. */
  component: string
  errorCode: number
  severity: Severity
  alertType: AlertType
  title: string
  detail?: string
  /** What the instrument's own screen tells its operator. */
  userMessage: string
  /** What to try, in this order; plain text. */
  steps: readonly string[]
  /** What cures it for good; plain text. */
  remedy: string
  during: readonly Situation[]
  /** Share among the faults of the same situation. */
  weight: number
}

/** The module in parentheses at the end of a component name: `Air sensor (L9-1.5)` → `L9-1.5`. */
export function moduleOf(component: string): string {
  const module = COMPONENT_MODULE.exec(component)?.[1]
  if (module === undefined) throw new Error(`The component "${component}" does not end with its module.`)
  return module
}

/** `<eisCode>-<errorCode>`; the module code without blanks and marks: `Air sensor (L9-1.5)`, 3104 → `L915-3104`. */
export function templateIdOf(fault: Pick<Fault, 'component' | 'errorCode'>): string {
  return `${moduleOf(fault.component).replace(/[^A-Za-z0-9]/g, '')}-${fault.errorCode}`
}
