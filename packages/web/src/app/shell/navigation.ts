import { type Icon, IconAlertTriangle, IconHelp, IconMicroscope } from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'

/** The side bar from top to bottom. A new area is one more line here, beside its route in router.tsx. */
export const navigation: readonly { to: NonNullable<LinkProps['to']>; label: string; icon: Icon }[] = [
  { to: '/events', label: 'Service events', icon: IconAlertTriangle },
  { to: '/instruments', label: 'Instruments', icon: IconMicroscope },
  { to: '/help', label: 'Help', icon: IconHelp },
]
