import { type Icon, IconAlertTriangle, IconChartHistogram, IconHelp, IconMicroscope } from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'

/** The side bar from top to bottom. A new area is one more line here, beside its route in router.tsx. */
export const navigation: readonly Area[] = [
  { to: '/events', label: 'Service events', icon: IconAlertTriangle },
  { to: '/instruments', label: 'Instruments', icon: IconMicroscope },
  { to: '/help', label: 'Help', icon: IconHelp },
  { to: '/kpi', label: 'KPI', icon: IconChartHistogram, needs: 'kpi' },
]

interface Area {
  to: NonNullable<LinkProps['to']>
  label: string
  icon: Icon
  /** Shown only to whom the side bar finds this allowed. */
  needs?: 'kpi'
}
