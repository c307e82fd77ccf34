// The queries and mutations of the projects pages.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Projects = graphql(`
  query Projects($companyId: ID!, $search: String, $after: String) {
    projects(params: { companyId: $companyId, search: $search }, limit: 50, after: $after) {
      collection {
        id
        pid
        label
        status
        startDate
        endDate
        projectType { label }
        requirementsProgress { done total }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type ProjectRow = ResultOf<typeof Projects>['projects']['collection'][number]

export const OneProject = graphql(`
  query OneProject($companyId: ID, $id: ID!) {
    project(companyId: $companyId, id: $id) {
      id
      pid
      label
      goal
      scope
      status
      statusReason
      startDate
      endDate
      estimatedHours
      projectType { id label }
      assets { id name }
      tags { name }
      requirementsProgress { done total }
      statusHistory { id status previousStatus reason createdAt portalUser { name } }
      allocatedAnalyst { portalUser { name email } }
    }
    projectRequirements(projectId: $id) {
      id
      label
      description
      activities { id title status evidences { id filename size downloadUrl } }
      checklist { id label state }
    }
  }
`)

export type ProjectAnswer = ResultOf<typeof OneProject>
export type ProjectRequirement = ProjectAnswer['projectRequirements'][number]

export const ProjectTypes = graphql(`
  query ProjectTypes {
    projectTypes(limit: 100) { collection { id label } }
  }
`)

export const CreateProject = graphql(`
  mutation CreateProjectHere($input: CreateProjectInput!) {
    createProject(input: $input) { errors project { id label } }
  }
`)

export const UpdateProject = graphql(`
  mutation UpdateProjectHere($input: UpdateProjectInput!) {
    updateProject(input: $input) { errors project { id label } }
  }
`)

export const DeleteProjects = graphql(`
  mutation DeleteProjects($input: BulkDeleteProjectInput!) {
    bulkDeleteProjects(input: $input) { clientMutationId }
  }
`)

export const ChangeProjectStatus = graphql(`
  mutation ChangeProjectStatus($input: BulkUpdateProjectStatusInput!) {
    bulkUpdateProjectStatus(input: $input) { clientMutationId }
  }
`)

export const ChangeActivity = graphql(`
  mutation ChangeActivity($input: UpdateActivityInput!) {
    updateActivity(input: $input) { clientMutationId }
  }
`)

export const AddEvidence = graphql(`
  mutation AddEvidence($input: AddActivityAttachmentInput!) {
    addActivityAttachment(input: $input) { errors }
  }
`)

export const AddProjectRequirement = graphql(`
  mutation AddProjectRequirement($input: CreateProjectRequirementInput!) {
    createProjectRequirement(input: $input) { clientMutationId }
  }
`)

export const ChangeProjectRequirement = graphql(`
  mutation ChangeProjectRequirement($input: UpdateProjectRequirementInput!) {
    updateProjectRequirement(input: $input) { clientMutationId }
  }
`)

export const DeleteProjectRequirement = graphql(`
  mutation DeleteProjectRequirement($input: DeleteProjectRequirementInput!) {
    deleteProjectRequirement(input: $input) { clientMutationId }
  }
`)
