export {
  type ApplyProfileOptions,
  applyRobotsProfile,
  type ProfileLink,
  type ProfileOptions,
  type ProfileUse,
  type RobotsAttributes,
  type RobotsProfile,
  readRobotsProfile,
  robotsClasses,
} from '../src/robots-profile/index.ts'
