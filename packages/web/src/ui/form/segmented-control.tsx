import { SegmentedControl as MantineSegmentedControl } from '@mantine/core'

/** Switches between a few visible views. `label` names the group for screen readers. */
export function SegmentedControl<T extends string | number>(props: {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}) {
  return (
    <MantineSegmentedControl
      aria-label={props.label}
      value={props.value}
      data={[...props.options]}
      onChange={props.onChange}
    />
  )
}
