import { Paper } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { UnsubscribePanel } from '../features/unsubscribe/unsubscribe-panel.tsx'

/** /unsubscribe: opened by the link in an automatic support e-mail, with or without a session. */
export function UnsubscribeScreen() {
  const { token } = useSearch({ from: '/unsubscribe' })
  return (
    // The top stays in place while the content below changes its height.
    <Paper
      withBorder
      shadow="lg"
      radius={14}
      p={{ base: 20, xs: 30 }}
      maw={540}
      mt={{ base: 8, xs: 'min(12dvh, 110px)' }}
      mx="auto"
    >
      <UnsubscribePanel token={token} />
    </Paper>
  )
}
