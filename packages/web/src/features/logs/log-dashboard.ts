import type { logDashboardPlaceholders } from '@benchwatch/contract/page-settings'
import type { LogChoice } from './compare-address.ts'
import type { LogWindow } from './log-window.ts'

type Placeholder = (typeof logDashboardPlaceholders)[number]

/** Two logs of an instrument around a moment. */
export interface LogPair {
  installedProductId: string
  first: LogChoice
  second: LogChoice
  window: LogWindow
  /** ISO instant of the event. */
  at: string
}

/** The address of an external dashboard, its placeholders filled in percent-encoded; docs/configuration.md, LOG_DASHBOARD_URL. */
export function dashboardHref(template: string, { installedProductId, first, second, window, at }: LogPair): string {
  const values: Record<Placeholder, string> = {
    installedProductId,
    firstLogType: first.logType,
    firstComputer: first.computerName ?? '',
    secondLogType: second.logType,
    secondComputer: second.computerName ?? '',
    ...window,
    at,
  }
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encodeURIComponent(values[name as Placeholder]) : whole,
  )
}
