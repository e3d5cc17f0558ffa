import { configure } from '@testing-library/react'

// What a screen reads and loads comes later on a machine that is busy besides; waiting ends as soon as it is there.
configure({ asyncUtilTimeout: 8000 })
