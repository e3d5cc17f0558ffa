import { configure } from '@testing-library/react'

// Screens load slowly on a busy machine; waiting ends as soon as the content is there.
configure({ asyncUtilTimeout: 60_000 })
