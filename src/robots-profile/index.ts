export { type ApplyProfileOptions, applyRobotsProfile, type ProfileUse } from './apply.ts'
export { type RobotsAttributes, robotsClasses } from './classes.ts'
export type { ProfileOptions } from './page.ts'
export { type ProfileLink, type RobotsProfile, readRobotsProfile } from './read.ts'
