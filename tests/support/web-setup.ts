import { configure } from '@testing-library/react'

// Parts of a page are loaded when they are first shown, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 10_000 })
