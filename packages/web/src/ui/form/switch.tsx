import { Switch as MantineSwitch } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'

/**
 * A switch with immediate effect. With a `hint` it is a line with its name and hint, which can be pressed as a whole;
 * without one only its state is visible, and `label` names it for screen readers.
 */
export function Switch(props: {
  label: string
  hint?: string
  isOn: boolean
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}) {
  const isLine = props.hint !== undefined
  return (
    <MantineSwitch
      aria-label={props.label}
      label={isLine ? props.label : props.isOn ? 'On' : 'Off'}
      description={props.hint}
      labelPosition={isLine ? 'left' : 'right'}
      withThumbIndicator={false}
      checked={props.isOn}
      disabled={props.isDisabled ?? false}
      styles={{
        body: { alignItems: 'center', minHeight: 'var(--bw-control)' },
        labelWrapper: isLine ? { flex: 1, minWidth: 0, fontWeight: 570, overflowWrap: 'anywhere' } : { flex: 'none' },
        // The rows of a table place their fields above the link that covers the row.
        input: { position: 'absolute' },
        description: { marginTop: 0, fontWeight: 400, fontSize: 12 },
        track: { forcedColorAdjust: 'none', ...(!props.isOn && { backgroundColor: 'var(--bw-ink-3)' }) },
      }}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
    />
  )
}
