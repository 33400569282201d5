// Generated from the operations of the API: do not edit. `npm run api:types` writes it again.

export interface paths {
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAlertListAPI"];
        put?: never;
        post: operations["createAlertAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{alert_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAlertAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{alert_id}/investigate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["investigateAlertAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCaseListAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/case-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCaseCountsAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/case-visit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recordCaseVisitAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changeCasesAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{case_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCaseAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateCaseAPI"];
        trace?: never;
    };
    "/cases/{case_id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["mergeCaseAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{case_id}/unmerge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["unmergeCaseAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{case_id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCaseTaskListAPI"];
        put?: never;
        post: operations["createCaseTasksAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{case_id}/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteCaseTaskAPI"];
        options?: never;
        head?: never;
        patch: operations["updateCaseTaskAPI"];
        trace?: never;
    };
    "/cases/{case_id}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAttachmentListAPI"];
        put?: never;
        post: operations["createAttachmentAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{case_id}/attachments/{attachment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    case_id: string;
                    attachment_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete: operations["deleteAttachmentAPI"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/entity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getEntityAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/entity/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getEntityAlertListAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{case_id}/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCaseGraphAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["searchAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved-views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSavedViewListAPI"];
        put?: never;
        post: operations["createSavedViewAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved-views/{view_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteSavedViewAPI"];
        options?: never;
        head?: never;
        patch: operations["updateSavedViewAPI"];
        trace?: never;
    };
    "/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConnectorListAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConnectionListAPI"];
        put?: never;
        post: operations["createConnectionAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{connection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConnectionAPI"];
        put?: never;
        post?: never;
        delete: operations["deleteConnectionAPI"];
        options?: never;
        head?: never;
        patch: operations["updateConnectionAPI"];
        trace?: never;
    };
    "/connections/{connection_id}/reconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reconnectConnectionAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{connection_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testConnectionAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credential-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCredentialLinkListAPI"];
        put?: never;
        post: operations["createConnectionLinkAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{connection_id}/credential-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createCredentialLinkAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credential-links/{link_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeCredentialLinkAPI"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/handover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            organization: string;
                            asked_by: string;
                            title: string;
                            products: string[];
                            instance_name: string;
                            setup: string[];
                            permissions: string[];
                            credentials: {
                                name: string;
                                label: string;
                                help: string;
                                secret: boolean;
                                required: boolean;
                                schema: {
                                    [key: string]: unknown;
                                };
                            }[];
                            settings: {
                                label: string;
                                value: string;
                            }[];
                            expires_at: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        credentials: {
                            [key: string]: unknown;
                        };
                        secret_expires_on?: string | null | undefined;
                    };
                };
            };
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{connection_id}/skills/{skill}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["runSkillAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/skill-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSkillRunListAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/skill-runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSkillRunAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/skill-runs/{run_id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["decideSkillRunAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/skill-results/{result_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSkillResultAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProposalListAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proposals/{proposal_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProposalAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proposals/{proposal_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approveProposalAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proposals/{proposal_id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refuseProposalAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proposals/{proposal_id}/reconfirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reconfirmProposalAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proposals/{proposal_id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["releaseProposalAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/response": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getResponseRulesAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateResponseRulesAPI"];
        trace?: never;
    };
    "/response/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stopWritesAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/response/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeWritesAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/protected-assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProtectedAssetListAPI"];
        put?: never;
        post: operations["createProtectedAssetAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/protected-assets/{asset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteProtectedAssetAPI"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/remote-agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRemoteAgentListAPI"];
        put?: never;
        post: operations["createRemoteAgentAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/remote-agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeRemoteAgentAPI"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/playbooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPlaybookListAPI"];
        put?: never;
        post: operations["createPlaybookAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/playbooks/{playbook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPlaybookAPI"];
        put?: never;
        post?: never;
        delete: operations["deletePlaybookAPI"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/playbooks/{playbook_id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPlaybookPlanAPI"];
        put: operations["updatePlaybookPlanAPI"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/playbooks/{playbook_id}/plan/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPlanVersionListAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/playbooks/{playbook_id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPlaybookStepsAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/playbooks/{playbook_id}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["pinPlaybookPlanAPI"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrganizationListAPI"];
        put?: never;
        post: operations["createOrganizationAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_code}/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPeopleListAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_code}/task-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTaskTemplateListAPI"];
        put: operations["saveTaskTemplateAPI"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_code}/task-templates/{template_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteTaskTemplateAPI"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-channel-kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNotificationChannelKindListAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNotificationChannelListAPI"];
        put?: never;
        post: operations["createNotificationChannelAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-channels/{channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteNotificationChannelAPI"];
        options?: never;
        head?: never;
        patch: operations["updateNotificationChannelAPI"];
        trace?: never;
    };
    "/notification-channels/{channel_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateNotificationSecretAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-channels/{channel_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testNotificationChannelAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-channels/{channel_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayNotificationChannelAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNotificationRuleListAPI"];
        put?: never;
        post: operations["createNotificationRuleAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-rules/{rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateNotificationRuleAPI"];
        post?: never;
        delete: operations["deleteNotificationRuleAPI"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNotificationDeliveryListAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayNotificationDeliveryAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInboxAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbox/unread-count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUnreadCountAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbox/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["markInboxReadAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbox/{entry_id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["markInboxEntryReadAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbox/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInboxPreferencesAPI"];
        put: operations["saveInboxPreferencesAPI"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_code}/knowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getKnowledgeListAPI"];
        put?: never;
        post: operations["createKnowledgeAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_code}/knowledge/{knowledge_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateKnowledgeAPI"];
        post?: never;
        delete: operations["deleteKnowledgeAPI"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_code}/knowledge-suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getKnowledgeSuggestionListAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_code}/knowledge-suggestions/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rejectKnowledgeSuggestionAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_code}/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRetentionAPI"];
        put: operations["updateRetentionAPI"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_code}/retention/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dryRunRetentionAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_code}/legal-hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["placeLegalHoldAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_code}/legal-hold/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["releaseLegalHoldAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{case_id}/legal-hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["placeCaseLegalHoldAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{case_id}/legal-hold/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["releaseCaseLegalHoldAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_code}/sla": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSlaPolicyAPI"];
        put: operations["updateSlaPolicyAPI"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/third-party-records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getThirdPartyRecordsAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/third-party-record-copies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getThirdPartyRecordCopiesAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProvidersAPI"];
        put?: never;
        post: operations["createProviderAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApiKeyListAPI"];
        put?: never;
        post: operations["createApiKeyAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeApiKeyAPI"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUserListAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{user_id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["deactivateUserAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSessionListAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeSessionAPI"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvitationListAPI"];
        put?: never;
        post: operations["createInvitationAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeInvitationAPI"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAuditLogAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number | undefined;
                    cursor?: string | undefined;
                    status?: 0 | 5 | 10 | 15 | 20 | undefined;
                    organization_code?: string | undefined;
                    provider?: string | undefined;
                    alert_type?: string | undefined;
                    created_from?: number | undefined;
                    created_before?: number | undefined;
                    text?: string | undefined;
                    sort?: "-created_at" | "created_at" | "-completed_at" | "completed_at" | "-alert_type" | "alert_type" | "-status" | "status" | undefined;
                } | undefined;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    status?: "open" | "in_progress" | "closed" | undefined;
                    severity?: "informational" | "low" | "medium" | "high" | "critical" | undefined;
                    verdict?: "malicious" | "suspicious" | "benign" | "inconclusive" | undefined;
                    assignee?: string | undefined;
                    unassigned?: true | undefined;
                    organization_code?: string | undefined;
                    text?: string | undefined;
                    disagrees?: boolean | undefined;
                    tag?: string | undefined;
                    sla?: "breached" | "due_soon" | "acknowledged" | undefined;
                    opened_from?: number | undefined;
                    opened_before?: number | undefined;
                    since_last_visit?: true | undefined;
                } | undefined;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{case_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    format: "markdown" | "json" | "stix";
                };
                header?: never;
                path: {
                    case_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOverviewAPI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            key_uuid: string | null;
                            user_uuid: string | null;
                            name: string;
                            memberships: {
                                organization_code: string | null;
                                role: "sender" | "analyst" | "admin";
                            }[];
                            has_second_step: boolean | null;
                            role: "sender" | "analyst" | "admin";
                            organization_code: string | null;
                            temporal_web: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        api_key: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            key_uuid: string | null;
                            user_uuid: string | null;
                            name: string;
                            memberships: {
                                organization_code: string | null;
                                role: "sender" | "analyst" | "admin";
                            }[];
                            has_second_step: boolean | null;
                            role: "sender" | "analyst" | "admin";
                            organization_code: string | null;
                            temporal_web: string | null;
                        };
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        email: string;
                        password: string;
                        code?: string | undefined;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            key_uuid: string | null;
                            user_uuid: string | null;
                            name: string;
                            memberships: {
                                organization_code: string | null;
                                role: "sender" | "analyst" | "admin";
                            }[];
                            has_second_step: boolean | null;
                            role: "sender" | "analyst" | "admin";
                            organization_code: string | null;
                            temporal_web: string | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        name: string;
                        email?: string | undefined;
                        password: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            key_uuid: string | null;
                            user_uuid: string | null;
                            name: string;
                            memberships: {
                                organization_code: string | null;
                                role: "sender" | "analyst" | "admin";
                            }[];
                            has_second_step: boolean | null;
                            role: "sender" | "analyst" | "admin";
                            organization_code: string | null;
                            temporal_web: string | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        organization_code: string | null;
                    };
                };
            };
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        code: string;
                    };
                };
            };
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            secret: string;
                            uri: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/totp/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        code: string;
                    };
                };
            };
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/chat-identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: {
                                identity_id: string;
                                kind: "slack";
                                workspace: string;
                                chat_user_id: string;
                                linked_at: number;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/chat-identities/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            code: string;
                            expires_at: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/chat-identities/{identity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    identity_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            provider: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/claim-mappings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getClaimMappingListAPI"];
        put?: never;
        post: operations["createClaimMappingAPI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/claim-mappings/{mapping_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteClaimMappingAPI"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: never;
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAlertListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
                status?: 0 | 5 | 10 | 15 | 20 | undefined;
                organization_code?: string | undefined;
                provider?: string | undefined;
                alert_type?: string | undefined;
                created_from?: number | undefined;
                created_before?: number | undefined;
                text?: string | undefined;
                sort?: "-created_at" | "created_at" | "-completed_at" | "completed_at" | "-alert_type" | "alert_type" | "-status" | "status" | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            alert_content: string;
                            alert_id: string;
                            alert_provider: string;
                            alert_type: string;
                            alert_uuid: string;
                            created_at: number;
                            created_at_source: number | null;
                            created_by: string;
                            investigation_retry_count: number;
                            investigation_status: 0 | 5 | 10 | 15 | 20;
                            modified_at: number;
                            organization_code: string;
                            organization_uuid: string;
                            case_id: string | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            playbook: string | null;
                            completed_at: number | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createAlertAPI: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string | undefined;
            } | undefined;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    alert_content: string;
                    alert_provider: string;
                    organization_code: string;
                    alert_type: string;
                    created_at_source?: number | null | undefined;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alert_content: string;
                        alert_id: string;
                        alert_provider: string;
                        alert_type: string;
                        alert_uuid: string;
                        created_at: number;
                        created_at_source: number | null;
                        created_by: string;
                        investigation_retry_count: number;
                        investigation_status: 0 | 5 | 10 | 15 | 20;
                        modified_at: number;
                        organization_code: string;
                        organization_uuid: string;
                    };
                };
            };
        };
    };
    getAlertAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alert_content: string;
                        alert_id: string;
                        alert_provider: string;
                        alert_type: string;
                        alert_uuid: string;
                        created_at: number;
                        created_at_source: number | null;
                        created_by: string;
                        investigation_retry_count: number;
                        investigation_status: 0 | 5 | 10 | 15 | 20;
                        modified_at: number;
                        organization_code: string;
                        organization_uuid: string;
                        case_id: string | null;
                        verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                        severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                        playbook: string | null;
                        completed_at: number | null;
                        playbook_reason: string | null;
                        entities: {
                            kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                            value: string;
                            role?: "source" | "destination" | "victim" | "sender" | "recipient" | "actor" | undefined;
                        }[];
                        own: {
                            kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                            value: string;
                            reason: string;
                            individual: boolean;
                            approved_test?: boolean | undefined;
                        }[];
                        answers: {
                            result_id: string;
                            skill_id: string;
                            skill_key: string;
                            connection: string;
                            at: number;
                            duration_ms: number | null;
                            tries: number;
                        }[];
                        waiting_on: {
                            connection_id: string;
                            instance_name: string;
                            skill_id: string;
                            skill_key: string;
                            reason: string;
                            since: number;
                            until: number | null;
                            remote_agent: {
                                agent_id: string;
                                name: string;
                                last_seen_at: number | null;
                            } | null;
                        }[];
                        under_way: {
                            skill_id: string;
                            skill_key: string;
                            connection: string | null;
                            since: number;
                            attempt: number;
                            waits_for: "answer" | "worker" | "retry" | "rate-limit" | "remote-agent" | "reconnect";
                            until: number | null;
                            problem: string | null;
                        }[] | null;
                    };
                };
            };
        };
    };
    investigateAlertAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    from_step?: string | undefined;
                    reuse?: true | undefined;
                };
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alert_content: string;
                        alert_id: string;
                        alert_provider: string;
                        alert_type: string;
                        alert_uuid: string;
                        created_at: number;
                        created_at_source: number | null;
                        created_by: string;
                        investigation_retry_count: number;
                        investigation_status: 0 | 5 | 10 | 15 | 20;
                        modified_at: number;
                        organization_code: string;
                        organization_uuid: string;
                        case_id: string | null;
                        verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                        severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                        playbook: string | null;
                        completed_at: number | null;
                    };
                };
            };
        };
    };
    getCaseListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
                status?: "open" | "in_progress" | "closed" | undefined;
                severity?: "informational" | "low" | "medium" | "high" | "critical" | undefined;
                verdict?: "malicious" | "suspicious" | "benign" | "inconclusive" | undefined;
                assignee?: string | undefined;
                unassigned?: true | undefined;
                organization_code?: string | undefined;
                text?: string | undefined;
                disagrees?: boolean | undefined;
                tag?: string | undefined;
                sla?: "breached" | "due_soon" | "acknowledged" | undefined;
                opened_from?: number | undefined;
                opened_before?: number | undefined;
                since_last_visit?: true | undefined;
                sort?: "-opened_at" | "opened_at" | "-severity" | "severity" | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            case_id: string;
                            title: string;
                            alert_id: string;
                            organization_code: string;
                            playbook: string | null;
                            status: "open" | "in_progress" | "closed";
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            score: number | null;
                            confidence: number | null;
                            summary: string;
                            reasons: {
                                points: number | null;
                                text: string;
                            }[];
                            assignee: string | null;
                            analyst_verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            analyst_verdict_reason: string | null;
                            classification: ("true_positive" | "false_positive" | "benign_positive") | null;
                            tags: string[];
                            opened_at: number;
                            modified_at: number;
                            closed_at: number | null;
                            merged_into: string | null;
                            sla: {
                                acknowledge: {
                                    due_at: number | null;
                                    done_at: number | null;
                                    is_due_soon: boolean;
                                    is_breached: boolean;
                                } | null;
                                close: {
                                    due_at: number | null;
                                    done_at: number | null;
                                    is_due_soon: boolean;
                                    is_breached: boolean;
                                } | null;
                            };
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getCaseCountsAPI: {
        parameters: {
            query?: {
                status?: "open" | "in_progress" | "closed" | undefined;
                severity?: "informational" | "low" | "medium" | "high" | "critical" | undefined;
                verdict?: "malicious" | "suspicious" | "benign" | "inconclusive" | undefined;
                assignee?: string | undefined;
                unassigned?: true | undefined;
                organization_code?: string | undefined;
                text?: string | undefined;
                disagrees?: boolean | undefined;
                tag?: string | undefined;
                sla?: "breached" | "due_soon" | "acknowledged" | undefined;
                opened_from?: number | undefined;
                opened_before?: number | undefined;
                since_last_visit?: true | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: {
                            value: string;
                            count: number;
                        }[];
                        severity: {
                            value: string;
                            count: number;
                        }[];
                        verdict: {
                            value: string;
                            count: number;
                        }[];
                        is_complete: boolean;
                    };
                };
            };
        };
    };
    recordCaseVisitAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        last_visit_at: number | null;
                    };
                };
            };
        };
    };
    changeCasesAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    changes: {
                        case_id: string;
                        update?: {
                            title?: string | undefined;
                            status?: "open" | "in_progress" | "closed" | undefined;
                            classification?: "true_positive" | "false_positive" | "benign_positive" | undefined;
                            assignee?: string | null | undefined;
                            comment?: string | undefined;
                            analyst_verdict?: {
                                verdict: "malicious" | "suspicious" | "benign" | "inconclusive";
                                reason: string;
                            } | null | undefined;
                            tags?: string[] | undefined;
                            add_tags?: string[] | undefined;
                        } | undefined;
                        merge?: {
                            into: string;
                            reason: string;
                        } | undefined;
                        unmerge?: {
                            reason: string;
                        } | undefined;
                        investigate?: true | undefined;
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            case_id: string;
                            is_changed: boolean;
                            problem: string | null;
                            undo: {
                                status?: "open" | "in_progress" | "closed" | undefined;
                                classification?: "true_positive" | "false_positive" | "benign_positive" | undefined;
                                assignee?: string | null | undefined;
                                tags?: string[] | undefined;
                                analyst_verdict?: {
                                    verdict: "malicious" | "suspicious" | "benign" | "inconclusive";
                                    reason: string;
                                } | null | undefined;
                            } | null;
                            unmerge: {
                                reason: string;
                            } | null;
                        }[];
                    };
                };
            };
        };
    };
    getCaseAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        case_id: string;
                        title: string;
                        alert_id: string;
                        organization_code: string;
                        playbook: string | null;
                        status: "open" | "in_progress" | "closed";
                        severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                        verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                        score: number | null;
                        confidence: number | null;
                        summary: string;
                        reasons: {
                            points: number | null;
                            text: string;
                        }[];
                        assignee: string | null;
                        analyst_verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                        analyst_verdict_reason: string | null;
                        classification: ("true_positive" | "false_positive" | "benign_positive") | null;
                        tags: string[];
                        opened_at: number;
                        modified_at: number;
                        closed_at: number | null;
                        merged_into: string | null;
                        sla: {
                            acknowledge: {
                                due_at: number | null;
                                done_at: number | null;
                                is_due_soon: boolean;
                                is_breached: boolean;
                            } | null;
                            close: {
                                due_at: number | null;
                                done_at: number | null;
                                is_due_soon: boolean;
                                is_breached: boolean;
                            } | null;
                        };
                        alert_ids: string[];
                        techniques: string[];
                        investigations: {
                            alert_id: string;
                            investigation_no: number;
                            playbook: string | null;
                            plan_version: number | null;
                            build: string | null;
                            status: string;
                            attempt: number;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            score: number | null;
                            confidence: number | null;
                            started_at: number;
                            ended_at: number | null;
                            changed: {
                                since_investigation_no: number;
                                verdict_before: string | null;
                                verdict_now: string | null;
                                evidence: {
                                    change: "new" | "gone" | "weighs differently" | "answered" | "unanswered";
                                    title: string;
                                    points_before: number | null;
                                    points_now: number | null;
                                }[];
                            } | null;
                        }[];
                        linked: {
                            alert_id: string;
                            alert_type: string;
                            case_id: string | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            shares: {
                                kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                value: string;
                            }[];
                        }[];
                        linked_count: number;
                        proposals: {
                            proposal_id: string;
                            organization_code: string;
                            case_id: string;
                            alert_id: string;
                            connection_id: string;
                            connection: string;
                            connector: string;
                            skill_id: string;
                            skill_key: string;
                            sentence: string;
                            input: {
                                [key: string]: unknown;
                            };
                            reason: string;
                            touches: {
                                hosts: string[];
                                users: string[];
                                tags: string[];
                            } | null;
                            caution: string[];
                            state: "waiting" | "approved" | "scheduled" | "running" | "done" | "failed" | "refused" | "expired" | "withdrawn";
                            held_because: string | null;
                            approvals_needed: number;
                            decisions: {
                                by: string;
                                decision: "approve" | "refuse";
                                reason: string | null;
                                at: number;
                            }[];
                            release_after_hours: number | null;
                            undoable: boolean;
                            undo_of: string | null;
                            run_at: number | null;
                            proposed_at: number;
                            expires_at: number | null;
                            ended_at: number | null;
                            result_id: string | null;
                            outcome: string | null;
                        }[];
                        merged: string[];
                        evidence: {
                            step: string;
                            kind: "finding" | "gap" | "note";
                            source: {
                                connector: string;
                                connection: string | null;
                                skill_id: string;
                                skill_key?: string | undefined;
                                result_id?: string | undefined;
                                reused?: boolean | undefined;
                                asked?: {
                                    input: unknown;
                                    at: number;
                                    alert_id: string | null;
                                    duration_ms: number | null;
                                    request_digest: string;
                                    reply_digest: string | null;
                                } | undefined;
                            } | null;
                            title: string;
                            points: number;
                            reason: string;
                            techniques: string[];
                            evidence_id: string;
                            at: number;
                            alert_id: string;
                            investigation_no: number;
                            attempt: number;
                        }[];
                        earlier_evidence: {
                            step: string;
                            kind: "finding" | "gap" | "note";
                            source: {
                                connector: string;
                                connection: string | null;
                                skill_id: string;
                                skill_key?: string | undefined;
                                result_id?: string | undefined;
                                reused?: boolean | undefined;
                                asked?: {
                                    input: unknown;
                                    at: number;
                                    alert_id: string | null;
                                    duration_ms: number | null;
                                    request_digest: string;
                                    reply_digest: string | null;
                                } | undefined;
                            } | null;
                            title: string;
                            points: number;
                            reason: string;
                            techniques: string[];
                            evidence_id: string;
                            at: number;
                            alert_id: string;
                            investigation_no: number;
                            attempt: number;
                        }[];
                        timeline: {
                            at: number;
                            kind: "opened" | "concluded" | "failed" | "reinvestigated" | "status" | "assignee" | "comment" | "verdict" | "proposed" | "decided" | "action" | "follow-up" | "merge" | "legal-hold" | "title" | "task" | "attachment" | "tags";
                            by: string | null;
                            text: string;
                            mentions: string[];
                        }[];
                        legal_hold: {
                            placed_by: string;
                            placed_at: number;
                            reason: string;
                        } | null;
                        waiting_on: {
                            connection_id: string;
                            instance_name: string;
                            skill_id: string;
                            skill_key: string;
                            reason: string;
                            since: number;
                            until: number | null;
                            remote_agent: {
                                agent_id: string;
                                name: string;
                                last_seen_at: number | null;
                            } | null;
                        }[];
                    };
                };
            };
        };
    };
    updateCaseAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string | undefined;
                    status?: "open" | "in_progress" | "closed" | undefined;
                    classification?: "true_positive" | "false_positive" | "benign_positive" | undefined;
                    assignee?: string | null | undefined;
                    comment?: string | undefined;
                    analyst_verdict?: {
                        verdict: "malicious" | "suspicious" | "benign" | "inconclusive";
                        reason: string;
                    } | null | undefined;
                    tags?: string[] | undefined;
                    add_tags?: string[] | undefined;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        case_id: string;
                        title: string;
                        alert_id: string;
                        organization_code: string;
                        playbook: string | null;
                        status: "open" | "in_progress" | "closed";
                        severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                        verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                        score: number | null;
                        confidence: number | null;
                        summary: string;
                        reasons: {
                            points: number | null;
                            text: string;
                        }[];
                        assignee: string | null;
                        analyst_verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                        analyst_verdict_reason: string | null;
                        classification: ("true_positive" | "false_positive" | "benign_positive") | null;
                        tags: string[];
                        opened_at: number;
                        modified_at: number;
                        closed_at: number | null;
                        merged_into: string | null;
                        sla: {
                            acknowledge: {
                                due_at: number | null;
                                done_at: number | null;
                                is_due_soon: boolean;
                                is_breached: boolean;
                            } | null;
                            close: {
                                due_at: number | null;
                                done_at: number | null;
                                is_due_soon: boolean;
                                is_breached: boolean;
                            } | null;
                        };
                        alert_ids: string[];
                        techniques: string[];
                        investigations: {
                            alert_id: string;
                            investigation_no: number;
                            playbook: string | null;
                            plan_version: number | null;
                            build: string | null;
                            status: string;
                            attempt: number;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            score: number | null;
                            confidence: number | null;
                            started_at: number;
                            ended_at: number | null;
                            changed: {
                                since_investigation_no: number;
                                verdict_before: string | null;
                                verdict_now: string | null;
                                evidence: {
                                    change: "new" | "gone" | "weighs differently" | "answered" | "unanswered";
                                    title: string;
                                    points_before: number | null;
                                    points_now: number | null;
                                }[];
                            } | null;
                        }[];
                        linked: {
                            alert_id: string;
                            alert_type: string;
                            case_id: string | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            shares: {
                                kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                value: string;
                            }[];
                        }[];
                        linked_count: number;
                        proposals: {
                            proposal_id: string;
                            organization_code: string;
                            case_id: string;
                            alert_id: string;
                            connection_id: string;
                            connection: string;
                            connector: string;
                            skill_id: string;
                            skill_key: string;
                            sentence: string;
                            input: {
                                [key: string]: unknown;
                            };
                            reason: string;
                            touches: {
                                hosts: string[];
                                users: string[];
                                tags: string[];
                            } | null;
                            caution: string[];
                            state: "waiting" | "approved" | "scheduled" | "running" | "done" | "failed" | "refused" | "expired" | "withdrawn";
                            held_because: string | null;
                            approvals_needed: number;
                            decisions: {
                                by: string;
                                decision: "approve" | "refuse";
                                reason: string | null;
                                at: number;
                            }[];
                            release_after_hours: number | null;
                            undoable: boolean;
                            undo_of: string | null;
                            run_at: number | null;
                            proposed_at: number;
                            expires_at: number | null;
                            ended_at: number | null;
                            result_id: string | null;
                            outcome: string | null;
                        }[];
                        merged: string[];
                        evidence: {
                            step: string;
                            kind: "finding" | "gap" | "note";
                            source: {
                                connector: string;
                                connection: string | null;
                                skill_id: string;
                                skill_key?: string | undefined;
                                result_id?: string | undefined;
                                reused?: boolean | undefined;
                                asked?: {
                                    input: unknown;
                                    at: number;
                                    alert_id: string | null;
                                    duration_ms: number | null;
                                    request_digest: string;
                                    reply_digest: string | null;
                                } | undefined;
                            } | null;
                            title: string;
                            points: number;
                            reason: string;
                            techniques: string[];
                            evidence_id: string;
                            at: number;
                            alert_id: string;
                            investigation_no: number;
                            attempt: number;
                        }[];
                        earlier_evidence: {
                            step: string;
                            kind: "finding" | "gap" | "note";
                            source: {
                                connector: string;
                                connection: string | null;
                                skill_id: string;
                                skill_key?: string | undefined;
                                result_id?: string | undefined;
                                reused?: boolean | undefined;
                                asked?: {
                                    input: unknown;
                                    at: number;
                                    alert_id: string | null;
                                    duration_ms: number | null;
                                    request_digest: string;
                                    reply_digest: string | null;
                                } | undefined;
                            } | null;
                            title: string;
                            points: number;
                            reason: string;
                            techniques: string[];
                            evidence_id: string;
                            at: number;
                            alert_id: string;
                            investigation_no: number;
                            attempt: number;
                        }[];
                        timeline: {
                            at: number;
                            kind: "opened" | "concluded" | "failed" | "reinvestigated" | "status" | "assignee" | "comment" | "verdict" | "proposed" | "decided" | "action" | "follow-up" | "merge" | "legal-hold" | "title" | "task" | "attachment" | "tags";
                            by: string | null;
                            text: string;
                            mentions: string[];
                        }[];
                        legal_hold: {
                            placed_by: string;
                            placed_at: number;
                            reason: string;
                        } | null;
                        waiting_on: {
                            connection_id: string;
                            instance_name: string;
                            skill_id: string;
                            skill_key: string;
                            reason: string;
                            since: number;
                            until: number | null;
                            remote_agent: {
                                agent_id: string;
                                name: string;
                                last_seen_at: number | null;
                            } | null;
                        }[];
                    };
                };
            };
        };
    };
    mergeCaseAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    into: string;
                    reason: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        case_id: string;
                        title: string;
                        alert_id: string;
                        organization_code: string;
                        playbook: string | null;
                        status: "open" | "in_progress" | "closed";
                        severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                        verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                        score: number | null;
                        confidence: number | null;
                        summary: string;
                        reasons: {
                            points: number | null;
                            text: string;
                        }[];
                        assignee: string | null;
                        analyst_verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                        analyst_verdict_reason: string | null;
                        classification: ("true_positive" | "false_positive" | "benign_positive") | null;
                        tags: string[];
                        opened_at: number;
                        modified_at: number;
                        closed_at: number | null;
                        merged_into: string | null;
                        sla: {
                            acknowledge: {
                                due_at: number | null;
                                done_at: number | null;
                                is_due_soon: boolean;
                                is_breached: boolean;
                            } | null;
                            close: {
                                due_at: number | null;
                                done_at: number | null;
                                is_due_soon: boolean;
                                is_breached: boolean;
                            } | null;
                        };
                        alert_ids: string[];
                        techniques: string[];
                        investigations: {
                            alert_id: string;
                            investigation_no: number;
                            playbook: string | null;
                            plan_version: number | null;
                            build: string | null;
                            status: string;
                            attempt: number;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            score: number | null;
                            confidence: number | null;
                            started_at: number;
                            ended_at: number | null;
                            changed: {
                                since_investigation_no: number;
                                verdict_before: string | null;
                                verdict_now: string | null;
                                evidence: {
                                    change: "new" | "gone" | "weighs differently" | "answered" | "unanswered";
                                    title: string;
                                    points_before: number | null;
                                    points_now: number | null;
                                }[];
                            } | null;
                        }[];
                        linked: {
                            alert_id: string;
                            alert_type: string;
                            case_id: string | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            shares: {
                                kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                value: string;
                            }[];
                        }[];
                        linked_count: number;
                        proposals: {
                            proposal_id: string;
                            organization_code: string;
                            case_id: string;
                            alert_id: string;
                            connection_id: string;
                            connection: string;
                            connector: string;
                            skill_id: string;
                            skill_key: string;
                            sentence: string;
                            input: {
                                [key: string]: unknown;
                            };
                            reason: string;
                            touches: {
                                hosts: string[];
                                users: string[];
                                tags: string[];
                            } | null;
                            caution: string[];
                            state: "waiting" | "approved" | "scheduled" | "running" | "done" | "failed" | "refused" | "expired" | "withdrawn";
                            held_because: string | null;
                            approvals_needed: number;
                            decisions: {
                                by: string;
                                decision: "approve" | "refuse";
                                reason: string | null;
                                at: number;
                            }[];
                            release_after_hours: number | null;
                            undoable: boolean;
                            undo_of: string | null;
                            run_at: number | null;
                            proposed_at: number;
                            expires_at: number | null;
                            ended_at: number | null;
                            result_id: string | null;
                            outcome: string | null;
                        }[];
                        merged: string[];
                        evidence: {
                            step: string;
                            kind: "finding" | "gap" | "note";
                            source: {
                                connector: string;
                                connection: string | null;
                                skill_id: string;
                                skill_key?: string | undefined;
                                result_id?: string | undefined;
                                reused?: boolean | undefined;
                                asked?: {
                                    input: unknown;
                                    at: number;
                                    alert_id: string | null;
                                    duration_ms: number | null;
                                    request_digest: string;
                                    reply_digest: string | null;
                                } | undefined;
                            } | null;
                            title: string;
                            points: number;
                            reason: string;
                            techniques: string[];
                            evidence_id: string;
                            at: number;
                            alert_id: string;
                            investigation_no: number;
                            attempt: number;
                        }[];
                        earlier_evidence: {
                            step: string;
                            kind: "finding" | "gap" | "note";
                            source: {
                                connector: string;
                                connection: string | null;
                                skill_id: string;
                                skill_key?: string | undefined;
                                result_id?: string | undefined;
                                reused?: boolean | undefined;
                                asked?: {
                                    input: unknown;
                                    at: number;
                                    alert_id: string | null;
                                    duration_ms: number | null;
                                    request_digest: string;
                                    reply_digest: string | null;
                                } | undefined;
                            } | null;
                            title: string;
                            points: number;
                            reason: string;
                            techniques: string[];
                            evidence_id: string;
                            at: number;
                            alert_id: string;
                            investigation_no: number;
                            attempt: number;
                        }[];
                        timeline: {
                            at: number;
                            kind: "opened" | "concluded" | "failed" | "reinvestigated" | "status" | "assignee" | "comment" | "verdict" | "proposed" | "decided" | "action" | "follow-up" | "merge" | "legal-hold" | "title" | "task" | "attachment" | "tags";
                            by: string | null;
                            text: string;
                            mentions: string[];
                        }[];
                        legal_hold: {
                            placed_by: string;
                            placed_at: number;
                            reason: string;
                        } | null;
                        waiting_on: {
                            connection_id: string;
                            instance_name: string;
                            skill_id: string;
                            skill_key: string;
                            reason: string;
                            since: number;
                            until: number | null;
                            remote_agent: {
                                agent_id: string;
                                name: string;
                                last_seen_at: number | null;
                            } | null;
                        }[];
                    };
                };
            };
        };
    };
    unmergeCaseAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        case_id: string;
                        title: string;
                        alert_id: string;
                        organization_code: string;
                        playbook: string | null;
                        status: "open" | "in_progress" | "closed";
                        severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                        verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                        score: number | null;
                        confidence: number | null;
                        summary: string;
                        reasons: {
                            points: number | null;
                            text: string;
                        }[];
                        assignee: string | null;
                        analyst_verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                        analyst_verdict_reason: string | null;
                        classification: ("true_positive" | "false_positive" | "benign_positive") | null;
                        tags: string[];
                        opened_at: number;
                        modified_at: number;
                        closed_at: number | null;
                        merged_into: string | null;
                        sla: {
                            acknowledge: {
                                due_at: number | null;
                                done_at: number | null;
                                is_due_soon: boolean;
                                is_breached: boolean;
                            } | null;
                            close: {
                                due_at: number | null;
                                done_at: number | null;
                                is_due_soon: boolean;
                                is_breached: boolean;
                            } | null;
                        };
                        alert_ids: string[];
                        techniques: string[];
                        investigations: {
                            alert_id: string;
                            investigation_no: number;
                            playbook: string | null;
                            plan_version: number | null;
                            build: string | null;
                            status: string;
                            attempt: number;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            score: number | null;
                            confidence: number | null;
                            started_at: number;
                            ended_at: number | null;
                            changed: {
                                since_investigation_no: number;
                                verdict_before: string | null;
                                verdict_now: string | null;
                                evidence: {
                                    change: "new" | "gone" | "weighs differently" | "answered" | "unanswered";
                                    title: string;
                                    points_before: number | null;
                                    points_now: number | null;
                                }[];
                            } | null;
                        }[];
                        linked: {
                            alert_id: string;
                            alert_type: string;
                            case_id: string | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            shares: {
                                kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                value: string;
                            }[];
                        }[];
                        linked_count: number;
                        proposals: {
                            proposal_id: string;
                            organization_code: string;
                            case_id: string;
                            alert_id: string;
                            connection_id: string;
                            connection: string;
                            connector: string;
                            skill_id: string;
                            skill_key: string;
                            sentence: string;
                            input: {
                                [key: string]: unknown;
                            };
                            reason: string;
                            touches: {
                                hosts: string[];
                                users: string[];
                                tags: string[];
                            } | null;
                            caution: string[];
                            state: "waiting" | "approved" | "scheduled" | "running" | "done" | "failed" | "refused" | "expired" | "withdrawn";
                            held_because: string | null;
                            approvals_needed: number;
                            decisions: {
                                by: string;
                                decision: "approve" | "refuse";
                                reason: string | null;
                                at: number;
                            }[];
                            release_after_hours: number | null;
                            undoable: boolean;
                            undo_of: string | null;
                            run_at: number | null;
                            proposed_at: number;
                            expires_at: number | null;
                            ended_at: number | null;
                            result_id: string | null;
                            outcome: string | null;
                        }[];
                        merged: string[];
                        evidence: {
                            step: string;
                            kind: "finding" | "gap" | "note";
                            source: {
                                connector: string;
                                connection: string | null;
                                skill_id: string;
                                skill_key?: string | undefined;
                                result_id?: string | undefined;
                                reused?: boolean | undefined;
                                asked?: {
                                    input: unknown;
                                    at: number;
                                    alert_id: string | null;
                                    duration_ms: number | null;
                                    request_digest: string;
                                    reply_digest: string | null;
                                } | undefined;
                            } | null;
                            title: string;
                            points: number;
                            reason: string;
                            techniques: string[];
                            evidence_id: string;
                            at: number;
                            alert_id: string;
                            investigation_no: number;
                            attempt: number;
                        }[];
                        earlier_evidence: {
                            step: string;
                            kind: "finding" | "gap" | "note";
                            source: {
                                connector: string;
                                connection: string | null;
                                skill_id: string;
                                skill_key?: string | undefined;
                                result_id?: string | undefined;
                                reused?: boolean | undefined;
                                asked?: {
                                    input: unknown;
                                    at: number;
                                    alert_id: string | null;
                                    duration_ms: number | null;
                                    request_digest: string;
                                    reply_digest: string | null;
                                } | undefined;
                            } | null;
                            title: string;
                            points: number;
                            reason: string;
                            techniques: string[];
                            evidence_id: string;
                            at: number;
                            alert_id: string;
                            investigation_no: number;
                            attempt: number;
                        }[];
                        timeline: {
                            at: number;
                            kind: "opened" | "concluded" | "failed" | "reinvestigated" | "status" | "assignee" | "comment" | "verdict" | "proposed" | "decided" | "action" | "follow-up" | "merge" | "legal-hold" | "title" | "task" | "attachment" | "tags";
                            by: string | null;
                            text: string;
                            mentions: string[];
                        }[];
                        legal_hold: {
                            placed_by: string;
                            placed_at: number;
                            reason: string;
                        } | null;
                        waiting_on: {
                            connection_id: string;
                            instance_name: string;
                            skill_id: string;
                            skill_key: string;
                            reason: string;
                            since: number;
                            until: number | null;
                            remote_agent: {
                                agent_id: string;
                                name: string;
                                last_seen_at: number | null;
                            } | null;
                        }[];
                    };
                };
            };
        };
    };
    getCaseTaskListAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            task_id: string;
                            title: string;
                            created_by: string;
                            created_at: number;
                            done_by: string | null;
                            done_at: number | null;
                        }[];
                        suggested: string[];
                    };
                };
            };
        };
    };
    createCaseTasksAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    titles: string[];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            task_id: string;
                            title: string;
                            created_by: string;
                            created_at: number;
                            done_by: string | null;
                            done_at: number | null;
                        }[];
                        suggested: string[];
                    };
                };
            };
        };
    };
    deleteCaseTaskAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCaseTaskAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string | undefined;
                    done?: boolean | undefined;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task_id: string;
                        title: string;
                        created_by: string;
                        created_at: number;
                        done_by: string | null;
                        done_at: number | null;
                    };
                };
            };
        };
    };
    getAttachmentListAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            attachment_id: string;
                            name: string;
                            size: number;
                            sha256: string;
                            added_by: string;
                            added_at: number;
                        }[];
                    };
                };
            };
        };
    };
    createAttachmentAPI: {
        parameters: {
            query: {
                name: string;
            };
            header?: never;
            path: {
                case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        attachment_id: string;
                        name: string;
                        size: number;
                        sha256: string;
                        added_by: string;
                        added_at: number;
                    };
                };
            };
        };
    };
    deleteAttachmentAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
                attachment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getEntityAPI: {
        parameters: {
            query: {
                kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                value: string;
                organization_code?: string | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                        value: string;
                        organization_code: string;
                        own: string | null;
                        protected: string[];
                        alert_count: number;
                        first_at: number | null;
                        last_at: number | null;
                        days: {
                            day: string;
                            alerts: number;
                        }[];
                        spellings: {
                            kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                            value: string;
                        }[];
                        cards: {
                            card: "device" | "person" | "trips" | "reputation" | "vulnerability";
                            result_id: string;
                            connection: string;
                            skill_id: string;
                            skill_key: string;
                            at: number;
                            entries: {
                                title: string;
                                fields: {
                                    name: string;
                                    value: string;
                                }[];
                            }[];
                        }[];
                        answers: {
                            result_id: string;
                            alert_id: string;
                            connector: string;
                            connection: string;
                            skill_id: string;
                            skill_key: string;
                            at: number;
                        }[];
                        actions: {
                            connector: string;
                            slug: string;
                            skill_id: string;
                            skill_key: string;
                            purpose: string;
                            effect: "read" | "write";
                            input: {
                                [key: string]: string;
                            };
                        }[];
                    };
                };
            };
        };
    };
    getEntityAlertListAPI: {
        parameters: {
            query: {
                kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                value: string;
                organization_code?: string | undefined;
                limit?: number | undefined;
                cursor?: string | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            alert_id: string;
                            alert_type: string;
                            created_at: number;
                            investigation_status: 0 | 5 | 10 | 15 | 20;
                            role: ("source" | "destination" | "victim" | "sender" | "recipient" | "actor") | null;
                            case_id: string | null;
                            case_title: string | null;
                            case_status: ("open" | "in_progress" | "closed") | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getCaseGraphAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organization_code: string;
                        alerts: {
                            alert_id: string;
                            alert_type: string;
                            created_at: number;
                            created_at_source: number | null;
                        }[];
                        entities: {
                            kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                            value: string;
                            own: string | null;
                            alerts: {
                                alert_id: string;
                                role: ("source" | "destination" | "victim" | "sender" | "recipient" | "actor") | null;
                            }[];
                        }[];
                        entity_count: number;
                        events: {
                            at: number;
                            kind: "alert" | "record" | "action";
                            title: string;
                            source: string;
                            alert_id: string | null;
                            shares: string[];
                        }[];
                    };
                };
            };
        };
    };
    searchAPI: {
        parameters: {
            query: {
                text: string;
                organization_code?: string | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entities: {
                            id: string;
                            title: string;
                            snippet: string;
                            organization_code: string;
                            at: number | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            page: string;
                        }[];
                        cases: {
                            id: string;
                            title: string;
                            snippet: string;
                            organization_code: string;
                            at: number | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            page: string;
                        }[];
                        alerts: {
                            id: string;
                            title: string;
                            snippet: string;
                            organization_code: string;
                            at: number | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            page: string;
                        }[];
                        comments: {
                            id: string;
                            title: string;
                            snippet: string;
                            organization_code: string;
                            at: number | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            page: string;
                        }[];
                        evidence: {
                            id: string;
                            title: string;
                            snippet: string;
                            organization_code: string;
                            at: number | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            page: string;
                        }[];
                        connections: {
                            id: string;
                            title: string;
                            snippet: string;
                            organization_code: string;
                            at: number | null;
                            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            page: string;
                        }[];
                    };
                };
            };
        };
    };
    getSavedViewListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
                list?: "cases" | "alerts" | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            view_id: string;
                            list: "cases" | "alerts";
                            name: string;
                            filters: {
                                [key: string]: string;
                            };
                            is_shared: boolean;
                            is_own: boolean;
                            created_by: string;
                            created_at: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createSavedViewAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    list: "cases" | "alerts";
                    name: string;
                    filters: {
                        [key: string]: string;
                    };
                    is_shared?: boolean | undefined;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        view_id: string;
                        list: "cases" | "alerts";
                        name: string;
                        filters: {
                            [key: string]: string;
                        };
                        is_shared: boolean;
                        is_own: boolean;
                        created_by: string;
                        created_at: number;
                    };
                };
            };
        };
    };
    deleteSavedViewAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateSavedViewAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | undefined;
                    filters?: {
                        [key: string]: string;
                    } | undefined;
                    is_shared?: boolean | undefined;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        view_id: string;
                        list: "cases" | "alerts";
                        name: string;
                        filters: {
                            [key: string]: string;
                        };
                        is_shared: boolean;
                        is_own: boolean;
                        created_by: string;
                        created_at: number;
                    };
                };
            };
        };
    };
    getConnectorListAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            connector: string;
                            title: string;
                            products: string[];
                            icon: "device" | "incident" | "malware" | "vulnerability" | "travel" | "intelligence";
                            purpose: string;
                            setup: string[];
                            credentials: {
                                name: string;
                                label: string;
                                help: string;
                                secret: boolean;
                                required: boolean;
                                schema: {
                                    [key: string]: unknown;
                                };
                            }[];
                            settings: {
                                name: string;
                                label: string;
                                help: string;
                                secret: boolean;
                                required: boolean;
                                schema: {
                                    [key: string]: unknown;
                                };
                            }[];
                            presets: {
                                title: string;
                                settings: {
                                    [key: string]: string;
                                };
                            }[];
                            rotation: {
                                days: number;
                                advice: string;
                            } | null;
                            remote_agent: boolean;
                            feeds_intake: boolean;
                            skills: {
                                skill_id: string;
                                skill_key: string;
                                slug: string;
                                purpose: string;
                                effect: "read" | "write";
                                call: string;
                                permission: string | null;
                                timeout_seconds: number;
                                input: {
                                    [key: string]: unknown;
                                };
                                output: {
                                    [key: string]: unknown;
                                };
                            }[];
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getConnectionListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
                connector?: string | undefined;
                organization_code?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            connection_id: string;
                            organization_code: string;
                            connector: string;
                            instance_name: string;
                            description: string;
                            settings: {
                                [key: string]: unknown;
                            };
                            credentials: {
                                [key: string]: unknown;
                            };
                            secret_expires_on: string | null;
                            remote_agent: string | null;
                            is_default: boolean;
                            needs_second_person: boolean;
                            feeds_intake: boolean;
                            source: {
                                read_until: number;
                                last_read_at: number | null;
                                last_error: string | null;
                            } | null;
                            state: "untested" | "working" | "broken";
                            state_reason: string | null;
                            state_since: number;
                            generation: number;
                            blocked_until: number | null;
                            refused_skills: {
                                skill_id: string;
                                skill_key: string;
                                reason: string;
                                resolution: string | null;
                                since: number;
                            }[];
                            waiting_investigations: number;
                            waiting_alerts: string[];
                            rotation: {
                                state: "fresh" | "due" | "overdue";
                                age_days: number;
                                advised_days: number;
                                advice: string;
                            } | null;
                            tested_at: number | null;
                            created_at: number;
                            modified_at: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createConnectionAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    organization_code: string;
                    connector: string;
                    instance_name: string;
                    description?: string | undefined;
                    settings?: {
                        [key: string]: unknown;
                    } | undefined;
                    remote_agent?: string | null | undefined;
                    needs_second_person?: boolean | undefined;
                    feeds_intake?: boolean | undefined;
                    credentials: {
                        [key: string]: unknown;
                    };
                    secret_expires_on?: string | null | undefined;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        connection_id: string;
                        organization_code: string;
                        connector: string;
                        instance_name: string;
                        description: string;
                        settings: {
                            [key: string]: unknown;
                        };
                        credentials: {
                            [key: string]: unknown;
                        };
                        secret_expires_on: string | null;
                        remote_agent: string | null;
                        is_default: boolean;
                        needs_second_person: boolean;
                        feeds_intake: boolean;
                        source: {
                            read_until: number;
                            last_read_at: number | null;
                            last_error: string | null;
                        } | null;
                        state: "untested" | "working" | "broken";
                        state_reason: string | null;
                        state_since: number;
                        generation: number;
                        blocked_until: number | null;
                        refused_skills: {
                            skill_id: string;
                            skill_key: string;
                            reason: string;
                            resolution: string | null;
                            since: number;
                        }[];
                        waiting_investigations: number;
                        waiting_alerts: string[];
                        rotation: {
                            state: "fresh" | "due" | "overdue";
                            age_days: number;
                            advised_days: number;
                            advice: string;
                        } | null;
                        tested_at: number | null;
                        created_at: number;
                        modified_at: number;
                    };
                };
            };
        };
    };
    getConnectionAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        connection_id: string;
                        organization_code: string;
                        connector: string;
                        instance_name: string;
                        description: string;
                        settings: {
                            [key: string]: unknown;
                        };
                        credentials: {
                            [key: string]: unknown;
                        };
                        secret_expires_on: string | null;
                        remote_agent: string | null;
                        is_default: boolean;
                        needs_second_person: boolean;
                        feeds_intake: boolean;
                        source: {
                            read_until: number;
                            last_read_at: number | null;
                            last_error: string | null;
                        } | null;
                        state: "untested" | "working" | "broken";
                        state_reason: string | null;
                        state_since: number;
                        generation: number;
                        blocked_until: number | null;
                        refused_skills: {
                            skill_id: string;
                            skill_key: string;
                            reason: string;
                            resolution: string | null;
                            since: number;
                        }[];
                        waiting_investigations: number;
                        waiting_alerts: string[];
                        rotation: {
                            state: "fresh" | "due" | "overdue";
                            age_days: number;
                            advised_days: number;
                            advice: string;
                        } | null;
                        tested_at: number | null;
                        created_at: number;
                        modified_at: number;
                    };
                };
            };
        };
    };
    deleteConnectionAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateConnectionAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    instance_name?: string | undefined;
                    description?: string | undefined;
                    settings?: {
                        [key: string]: unknown;
                    } | undefined;
                    credentials?: {
                        [key: string]: unknown;
                    } | undefined;
                    secret_expires_on?: string | null | undefined;
                    remote_agent?: string | null | undefined;
                    is_default?: true | undefined;
                    needs_second_person?: boolean | undefined;
                    feeds_intake?: boolean | undefined;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        connection_id: string;
                        organization_code: string;
                        connector: string;
                        instance_name: string;
                        description: string;
                        settings: {
                            [key: string]: unknown;
                        };
                        credentials: {
                            [key: string]: unknown;
                        };
                        secret_expires_on: string | null;
                        remote_agent: string | null;
                        is_default: boolean;
                        needs_second_person: boolean;
                        feeds_intake: boolean;
                        source: {
                            read_until: number;
                            last_read_at: number | null;
                            last_error: string | null;
                        } | null;
                        state: "untested" | "working" | "broken";
                        state_reason: string | null;
                        state_since: number;
                        generation: number;
                        blocked_until: number | null;
                        refused_skills: {
                            skill_id: string;
                            skill_key: string;
                            reason: string;
                            resolution: string | null;
                            since: number;
                        }[];
                        waiting_investigations: number;
                        waiting_alerts: string[];
                        rotation: {
                            state: "fresh" | "due" | "overdue";
                            age_days: number;
                            advised_days: number;
                            advice: string;
                        } | null;
                        tested_at: number | null;
                        created_at: number;
                        modified_at: number;
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        change: "resume-writes" | "raise-limit" | "unprotect-asset" | "drop-second-person";
                        target: string;
                        value: number | null;
                        asked_by: string;
                        asked_at: number;
                        expires_at: number;
                    };
                };
            };
        };
    };
    reconnectConnectionAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    credentials: {
                        [key: string]: unknown;
                    };
                    secret_expires_on?: string | null | undefined;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        connection: {
                            connection_id: string;
                            organization_code: string;
                            connector: string;
                            instance_name: string;
                            description: string;
                            settings: {
                                [key: string]: unknown;
                            };
                            credentials: {
                                [key: string]: unknown;
                            };
                            secret_expires_on: string | null;
                            remote_agent: string | null;
                            is_default: boolean;
                            needs_second_person: boolean;
                            feeds_intake: boolean;
                            source: {
                                read_until: number;
                                last_read_at: number | null;
                                last_error: string | null;
                            } | null;
                            state: "untested" | "working" | "broken";
                            state_reason: string | null;
                            state_since: number;
                            generation: number;
                            blocked_until: number | null;
                            refused_skills: {
                                skill_id: string;
                                skill_key: string;
                                reason: string;
                                resolution: string | null;
                                since: number;
                            }[];
                            waiting_investigations: number;
                            waiting_alerts: string[];
                            rotation: {
                                state: "fresh" | "due" | "overdue";
                                age_days: number;
                                advised_days: number;
                                advice: string;
                            } | null;
                            tested_at: number | null;
                            created_at: number;
                            modified_at: number;
                        };
                        test: {
                            ok: boolean;
                            summary: string;
                            hosts: {
                                purpose: string;
                                host: string | null;
                                reachable: boolean | null;
                                detail: string;
                            }[];
                            credentials: {
                                ok: boolean;
                                detail: string;
                            };
                            permissions: {
                                skill_id: string;
                                skill_key?: string | undefined;
                                permission: string | null;
                                granted: boolean | null;
                            }[];
                            clock_skew_seconds: number | null;
                        } | null;
                    };
                };
            };
        };
    };
    testConnectionAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        summary: string;
                        hosts: {
                            purpose: string;
                            host: string | null;
                            reachable: boolean | null;
                            detail: string;
                        }[];
                        credentials: {
                            ok: boolean;
                            detail: string;
                        };
                        permissions: {
                            skill_id: string;
                            skill_key?: string | undefined;
                            permission: string | null;
                            granted: boolean | null;
                        }[];
                        clock_skew_seconds: number | null;
                    };
                };
            };
        };
    };
    getCredentialLinkListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
                connector?: string | undefined;
                connection_id?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            link_id: string;
                            organization_code: string;
                            connector: string;
                            instance_name: string;
                            connection_id: string | null;
                            created_by: string;
                            created_at: number;
                            expires_at: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createConnectionLinkAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    organization_code: string;
                    connector: string;
                    instance_name: string;
                    description?: string | undefined;
                    settings?: {
                        [key: string]: unknown;
                    } | undefined;
                    remote_agent?: string | null | undefined;
                    needs_second_person?: boolean | undefined;
                    feeds_intake?: boolean | undefined;
                    valid_hours?: number | undefined;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        link_id: string;
                        organization_code: string;
                        connector: string;
                        instance_name: string;
                        connection_id: string | null;
                        created_by: string;
                        created_at: number;
                        expires_at: number;
                        path: string;
                    };
                };
            };
        };
    };
    createCredentialLinkAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    valid_hours?: number | undefined;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        link_id: string;
                        organization_code: string;
                        connector: string;
                        instance_name: string;
                        connection_id: string | null;
                        created_by: string;
                        created_at: number;
                        expires_at: number;
                        path: string;
                    };
                };
            };
        };
    };
    revokeCredentialLinkAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    runSkillAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
                skill: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    input?: {
                        [key: string]: unknown;
                    } | undefined;
                    confirm?: boolean | undefined;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        skill_id: string;
                        skill_key: string;
                        output: {
                            [key: string]: unknown;
                        };
                        truncated: boolean;
                        attempts: number;
                        duration_ms: number;
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run_id: string;
                        skill_id: string;
                        skill_key: string;
                        connection_id: string;
                        input: unknown;
                        state: "proposed" | "running" | "done" | "failed" | "refused";
                        asked_by: string;
                        asked_at: number;
                        decided_by: string | null;
                        outcome: {
                            skill_id: string;
                            skill_key: string;
                            output: {
                                [key: string]: unknown;
                            };
                            truncated: boolean;
                            attempts: number;
                            duration_ms: number;
                        } | null;
                        problem: {
                            code: string;
                            message: string;
                            third_party_status: number | null;
                            resolution: string | null;
                        } | null;
                    };
                };
            };
        };
    };
    getSkillRunListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
                state?: "proposed" | "running" | "done" | "failed" | "refused" | undefined;
                connector?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            run_id: string;
                            skill_id: string;
                            skill_key: string;
                            connection_id: string;
                            input: unknown;
                            state: "proposed" | "running" | "done" | "failed" | "refused";
                            asked_by: string;
                            asked_at: number;
                            decided_by: string | null;
                            problem: {
                                code: string;
                                message: string;
                                third_party_status: number | null;
                                resolution: string | null;
                            } | null;
                            organization_code: string;
                            connector: string;
                            instance_name: string;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getSkillRunAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run_id: string;
                        skill_id: string;
                        skill_key: string;
                        connection_id: string;
                        input: unknown;
                        state: "proposed" | "running" | "done" | "failed" | "refused";
                        asked_by: string;
                        asked_at: number;
                        decided_by: string | null;
                        outcome: {
                            skill_id: string;
                            skill_key: string;
                            output: {
                                [key: string]: unknown;
                            };
                            truncated: boolean;
                            attempts: number;
                            duration_ms: number;
                        } | null;
                        problem: {
                            code: string;
                            message: string;
                            third_party_status: number | null;
                            resolution: string | null;
                        } | null;
                    };
                };
            };
        };
    };
    decideSkillRunAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    approve: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run_id: string;
                        skill_id: string;
                        skill_key: string;
                        connection_id: string;
                        input: unknown;
                        state: "proposed" | "running" | "done" | "failed" | "refused";
                        asked_by: string;
                        asked_at: number;
                        decided_by: string | null;
                        outcome: {
                            skill_id: string;
                            skill_key: string;
                            output: {
                                [key: string]: unknown;
                            };
                            truncated: boolean;
                            attempts: number;
                            duration_ms: number;
                        } | null;
                        problem: {
                            code: string;
                            message: string;
                            third_party_status: number | null;
                            resolution: string | null;
                        } | null;
                    };
                };
            };
        };
    };
    getSkillResultAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                result_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result_id: string;
                        connection_id: string;
                        connector: string;
                        skill_id: string;
                        skill_key: string;
                        status: "started" | "done" | "failed";
                        input: unknown;
                        output: unknown;
                        truncated: boolean;
                        request_digest: string;
                        reply_digest: string | null;
                        attempts: number;
                        started_at: number;
                        duration_ms: number | null;
                    };
                };
            };
        };
    };
    getProposalListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
                state?: "waiting" | "approved" | "scheduled" | "running" | "done" | "failed" | "refused" | "expired" | "withdrawn" | undefined;
                organization_code?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            proposal_id: string;
                            organization_code: string;
                            case_id: string;
                            alert_id: string;
                            connection_id: string;
                            connection: string;
                            connector: string;
                            skill_id: string;
                            skill_key: string;
                            sentence: string;
                            input: {
                                [key: string]: unknown;
                            };
                            reason: string;
                            touches: {
                                hosts: string[];
                                users: string[];
                                tags: string[];
                            } | null;
                            caution: string[];
                            state: "waiting" | "approved" | "scheduled" | "running" | "done" | "failed" | "refused" | "expired" | "withdrawn";
                            held_because: string | null;
                            approvals_needed: number;
                            decisions: {
                                by: string;
                                decision: "approve" | "refuse";
                                reason: string | null;
                                at: number;
                            }[];
                            release_after_hours: number | null;
                            undoable: boolean;
                            undo_of: string | null;
                            run_at: number | null;
                            proposed_at: number;
                            expires_at: number | null;
                            ended_at: number | null;
                            result_id: string | null;
                            outcome: string | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getProposalAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        proposal_id: string;
                        organization_code: string;
                        case_id: string;
                        alert_id: string;
                        connection_id: string;
                        connection: string;
                        connector: string;
                        skill_id: string;
                        skill_key: string;
                        sentence: string;
                        input: {
                            [key: string]: unknown;
                        };
                        reason: string;
                        touches: {
                            hosts: string[];
                            users: string[];
                            tags: string[];
                        } | null;
                        caution: string[];
                        state: "waiting" | "approved" | "scheduled" | "running" | "done" | "failed" | "refused" | "expired" | "withdrawn";
                        held_because: string | null;
                        approvals_needed: number;
                        decisions: {
                            by: string;
                            decision: "approve" | "refuse";
                            reason: string | null;
                            at: number;
                        }[];
                        release_after_hours: number | null;
                        undoable: boolean;
                        undo_of: string | null;
                        run_at: number | null;
                        proposed_at: number;
                        expires_at: number | null;
                        ended_at: number | null;
                        result_id: string | null;
                        outcome: string | null;
                    };
                };
            };
        };
    };
    approveProposalAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason?: string | undefined;
                    release_after_hours?: number | undefined;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        proposal_id: string;
                        organization_code: string;
                        case_id: string;
                        alert_id: string;
                        connection_id: string;
                        connection: string;
                        connector: string;
                        skill_id: string;
                        skill_key: string;
                        sentence: string;
                        input: {
                            [key: string]: unknown;
                        };
                        reason: string;
                        touches: {
                            hosts: string[];
                            users: string[];
                            tags: string[];
                        } | null;
                        caution: string[];
                        state: "waiting" | "approved" | "scheduled" | "running" | "done" | "failed" | "refused" | "expired" | "withdrawn";
                        held_because: string | null;
                        approvals_needed: number;
                        decisions: {
                            by: string;
                            decision: "approve" | "refuse";
                            reason: string | null;
                            at: number;
                        }[];
                        release_after_hours: number | null;
                        undoable: boolean;
                        undo_of: string | null;
                        run_at: number | null;
                        proposed_at: number;
                        expires_at: number | null;
                        ended_at: number | null;
                        result_id: string | null;
                        outcome: string | null;
                    };
                };
            };
        };
    };
    refuseProposalAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        proposal_id: string;
                        organization_code: string;
                        case_id: string;
                        alert_id: string;
                        connection_id: string;
                        connection: string;
                        connector: string;
                        skill_id: string;
                        skill_key: string;
                        sentence: string;
                        input: {
                            [key: string]: unknown;
                        };
                        reason: string;
                        touches: {
                            hosts: string[];
                            users: string[];
                            tags: string[];
                        } | null;
                        caution: string[];
                        state: "waiting" | "approved" | "scheduled" | "running" | "done" | "failed" | "refused" | "expired" | "withdrawn";
                        held_because: string | null;
                        approvals_needed: number;
                        decisions: {
                            by: string;
                            decision: "approve" | "refuse";
                            reason: string | null;
                            at: number;
                        }[];
                        release_after_hours: number | null;
                        undoable: boolean;
                        undo_of: string | null;
                        run_at: number | null;
                        proposed_at: number;
                        expires_at: number | null;
                        ended_at: number | null;
                        result_id: string | null;
                        outcome: string | null;
                    };
                };
            };
        };
    };
    reconfirmProposalAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    hours: number | null;
                    reason: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        proposal_id: string;
                        organization_code: string;
                        case_id: string;
                        alert_id: string;
                        connection_id: string;
                        connection: string;
                        connector: string;
                        skill_id: string;
                        skill_key: string;
                        sentence: string;
                        input: {
                            [key: string]: unknown;
                        };
                        reason: string;
                        touches: {
                            hosts: string[];
                            users: string[];
                            tags: string[];
                        } | null;
                        caution: string[];
                        state: "waiting" | "approved" | "scheduled" | "running" | "done" | "failed" | "refused" | "expired" | "withdrawn";
                        held_because: string | null;
                        approvals_needed: number;
                        decisions: {
                            by: string;
                            decision: "approve" | "refuse";
                            reason: string | null;
                            at: number;
                        }[];
                        release_after_hours: number | null;
                        undoable: boolean;
                        undo_of: string | null;
                        run_at: number | null;
                        proposed_at: number;
                        expires_at: number | null;
                        ended_at: number | null;
                        result_id: string | null;
                        outcome: string | null;
                    };
                };
            };
        };
    };
    releaseProposalAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        proposal_id: string;
                        organization_code: string;
                        case_id: string;
                        alert_id: string;
                        connection_id: string;
                        connection: string;
                        connector: string;
                        skill_id: string;
                        skill_key: string;
                        sentence: string;
                        input: {
                            [key: string]: unknown;
                        };
                        reason: string;
                        touches: {
                            hosts: string[];
                            users: string[];
                            tags: string[];
                        } | null;
                        caution: string[];
                        state: "waiting" | "approved" | "scheduled" | "running" | "done" | "failed" | "refused" | "expired" | "withdrawn";
                        held_because: string | null;
                        approvals_needed: number;
                        decisions: {
                            by: string;
                            decision: "approve" | "refuse";
                            reason: string | null;
                            at: number;
                        }[];
                        release_after_hours: number | null;
                        undoable: boolean;
                        undo_of: string | null;
                        run_at: number | null;
                        proposed_at: number;
                        expires_at: number | null;
                        ended_at: number | null;
                        result_id: string | null;
                        outcome: string | null;
                    };
                };
            };
        };
    };
    getResponseRulesAPI: {
        parameters: {
            query?: {
                organization_code?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organization_code: string;
                        writes_per_hour: number;
                        writes_last_hour: number;
                        stopped: boolean;
                        stopped_by: string | null;
                        stopped_at: number | null;
                        stop_reason: string | null;
                        writes_in_flight: {
                            proposal_id: string | null;
                            run_id: string | null;
                            connection_id: string;
                            skill_id: string;
                            skill_key: string;
                            sent_at: number;
                        }[];
                        pending_changes: {
                            change: "resume-writes" | "raise-limit" | "unprotect-asset" | "drop-second-person";
                            target: string;
                            value: number | null;
                            asked_by: string;
                            asked_at: number;
                            expires_at: number;
                        }[];
                    };
                };
            };
        };
    };
    updateResponseRulesAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    organization_code?: string | undefined;
                    writes_per_hour: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organization_code: string;
                        writes_per_hour: number;
                        writes_last_hour: number;
                        stopped: boolean;
                        stopped_by: string | null;
                        stopped_at: number | null;
                        stop_reason: string | null;
                        writes_in_flight: {
                            proposal_id: string | null;
                            run_id: string | null;
                            connection_id: string;
                            skill_id: string;
                            skill_key: string;
                            sent_at: number;
                        }[];
                        pending_changes: {
                            change: "resume-writes" | "raise-limit" | "unprotect-asset" | "drop-second-person";
                            target: string;
                            value: number | null;
                            asked_by: string;
                            asked_at: number;
                            expires_at: number;
                        }[];
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        change: "resume-writes" | "raise-limit" | "unprotect-asset" | "drop-second-person";
                        target: string;
                        value: number | null;
                        asked_by: string;
                        asked_at: number;
                        expires_at: number;
                    };
                };
            };
        };
    };
    stopWritesAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    organization_code?: string | undefined;
                    reason: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organization_code: string;
                        writes_per_hour: number;
                        writes_last_hour: number;
                        stopped: boolean;
                        stopped_by: string | null;
                        stopped_at: number | null;
                        stop_reason: string | null;
                        writes_in_flight: {
                            proposal_id: string | null;
                            run_id: string | null;
                            connection_id: string;
                            skill_id: string;
                            skill_key: string;
                            sent_at: number;
                        }[];
                        pending_changes: {
                            change: "resume-writes" | "raise-limit" | "unprotect-asset" | "drop-second-person";
                            target: string;
                            value: number | null;
                            asked_by: string;
                            asked_at: number;
                            expires_at: number;
                        }[];
                    };
                };
            };
        };
    };
    resumeWritesAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    organization_code?: string | undefined;
                    reason: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organization_code: string;
                        writes_per_hour: number;
                        writes_last_hour: number;
                        stopped: boolean;
                        stopped_by: string | null;
                        stopped_at: number | null;
                        stop_reason: string | null;
                        writes_in_flight: {
                            proposal_id: string | null;
                            run_id: string | null;
                            connection_id: string;
                            skill_id: string;
                            skill_key: string;
                            sent_at: number;
                        }[];
                        pending_changes: {
                            change: "resume-writes" | "raise-limit" | "unprotect-asset" | "drop-second-person";
                            target: string;
                            value: number | null;
                            asked_by: string;
                            asked_at: number;
                            expires_at: number;
                        }[];
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        change: "resume-writes" | "raise-limit" | "unprotect-asset" | "drop-second-person";
                        target: string;
                        value: number | null;
                        asked_by: string;
                        asked_at: number;
                        expires_at: number;
                    };
                };
            };
        };
    };
    getProtectedAssetListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
                organization_code?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            asset_id: string;
                            organization_code: string;
                            kind: "host" | "user" | "tag";
                            value: string;
                            reason: string;
                            created_by: string;
                            created_at: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProtectedAssetAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    organization_code?: string | undefined;
                    kind: "host" | "user" | "tag";
                    value: string;
                    reason: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        asset_id: string;
                        organization_code: string;
                        kind: "host" | "user" | "tag";
                        value: string;
                        reason: string;
                        created_by: string;
                        created_at: number;
                    };
                };
            };
        };
    };
    deleteProtectedAssetAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        change: "resume-writes" | "raise-limit" | "unprotect-asset" | "drop-second-person";
                        target: string;
                        value: number | null;
                        asked_by: string;
                        asked_at: number;
                        expires_at: number;
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getRemoteAgentListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            agent_id: string;
                            organization_code: string;
                            name: string;
                            version: string | null;
                            last_seen_at: number | null;
                            waiting_steps: number;
                            waiting_since: number | null;
                            created_at: number;
                            revoked_at: number | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createRemoteAgentAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    organization_code: string;
                    name: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent_id: string;
                        organization_code: string;
                        name: string;
                        version: string | null;
                        last_seen_at: number | null;
                        waiting_steps: number;
                        waiting_since: number | null;
                        created_at: number;
                        revoked_at: number | null;
                        token: string;
                    };
                };
            };
        };
    };
    revokeRemoteAgentAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPlaybookListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            playbook_id: string;
                            name: string;
                            origin: "written" | "generated";
                            organization_code: string | null;
                            alert_types: string[];
                            alert_type_count: number;
                            is_shared: boolean;
                            workflow_type: string;
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            version: number;
                            pinned_version: number | null;
                            runs: {
                                counted: number;
                                completed: number;
                                typical_seconds: number | null;
                            };
                            plan: {
                                steps: ({
                                    do: "extract-indicators";
                                    why: string;
                                    of: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                                } | {
                                    do: "ask";
                                    id: string;
                                    why: string;
                                    skill: string;
                                    each: {
                                        of: "entity";
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                        only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                        atMost: number;
                                    } | {
                                        of: "answer";
                                        step: string;
                                        path: string;
                                        when?: {
                                            path: string | string[];
                                            is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                            value?: number | string | undefined;
                                        }[];
                                        only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                        atMost: number;
                                    };
                                    input: {
                                        [key: string]: {
                                            take: "value";
                                            value: string | number | boolean;
                                        } | {
                                            take: "item";
                                        } | {
                                            take: "item-in-list";
                                            prefix?: string | undefined;
                                            alsoShort?: boolean | undefined;
                                        } | {
                                            take: "alert-entity";
                                            kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                        } | {
                                            take: "text";
                                            text: string;
                                        } | {
                                            take: "alert-time";
                                            as: "seconds" | "iso";
                                            minusDays?: number | undefined;
                                        };
                                    };
                                    proves: {
                                        inOne?: string | undefined;
                                        when: {
                                            path: string | string[];
                                            is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                            value?: number | string | undefined;
                                        }[];
                                        points: number;
                                        says: string;
                                        fact?: "confirmed-malicious" | "confirmed-benign" | "confirmed-test" | "malicious-reputation" | "suspicious-reputation" | "clean-reputation" | "unknown-reputation" | "contact" | "several-indicators" | "blocked-indicator" | "allowed-indicator" | "malware-not-removed" | "malware-ran" | "malware-detected" | "malware-removed" | "unwanted-software" | "suspicious-file" | "open-record-high" | "open-record-medium" | "other-open-record" | "earlier-attack" | "no-open-record" | "exposed-credential" | "domain-abuse-high" | "domain-abuse" | "intelligence-mention" | "vulnerability-present" | "exploited-in-organization" | "exploitable-in-organization" | "exploited-vulnerability" | "exploitable-vulnerability" | "low-risk-vulnerability" | "vulnerability-absent" | "dangerous-vulnerability" | "doubtful-vulnerability" | "harmless-vulnerability" | "important-asset" | "approved-test" | "trip-explains" | "no-trip" | undefined;
                                        at?: string | undefined;
                                        techniques: string[];
                                    }[];
                                    leadsTo?: {
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                        path: string;
                                    }[];
                                    identifies?: {
                                        asset: "machine" | "account";
                                        path: string;
                                    } | undefined;
                                    shows: string[];
                                } | {
                                    do: "propose";
                                    id: string;
                                    why: string;
                                    skill: string;
                                    each: {
                                        of: "entity";
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                        only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                        atMost: number;
                                    } | {
                                        of: "answer";
                                        step: string;
                                        path: string;
                                        when?: {
                                            path: string | string[];
                                            is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                            value?: number | string | undefined;
                                        }[];
                                        only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                        atMost: number;
                                    };
                                    input: {
                                        [key: string]: {
                                            take: "value";
                                            value: string | number | boolean;
                                        } | {
                                            take: "item";
                                        } | {
                                            take: "item-in-list";
                                            prefix?: string | undefined;
                                            alsoShort?: boolean | undefined;
                                        } | {
                                            take: "alert-entity";
                                            kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                        } | {
                                            take: "text";
                                            text: string;
                                        } | {
                                            take: "alert-time";
                                            as: "seconds" | "iso";
                                            minusDays?: number | undefined;
                                        };
                                    };
                                    from: "suspicious" | "malicious";
                                    releaseAfterHours?: number | undefined;
                                } | {
                                    do: "correlate";
                                    why: string;
                                    by: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                                    withinDays: number;
                                } | {
                                    do: "search-records";
                                    why: string;
                                } | {
                                    do: "summarise";
                                    why: string;
                                })[];
                            } | null;
                            created_at: number;
                            modified_at: number;
                            deleted_at: number | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createPlaybookAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    organization_code: string;
                    alert_type: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playbook_id: string;
                        name: string;
                        origin: "written" | "generated";
                        organization_code: string | null;
                        alert_types: string[];
                        alert_type_count: number;
                        is_shared: boolean;
                        workflow_type: string;
                        severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                        version: number;
                        pinned_version: number | null;
                        runs: {
                            counted: number;
                            completed: number;
                            typical_seconds: number | null;
                        };
                        plan: {
                            steps: ({
                                do: "extract-indicators";
                                why: string;
                                of: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                            } | {
                                do: "ask";
                                id: string;
                                why: string;
                                skill: string;
                                each: {
                                    of: "entity";
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                } | {
                                    of: "answer";
                                    step: string;
                                    path: string;
                                    when?: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                };
                                input: {
                                    [key: string]: {
                                        take: "value";
                                        value: string | number | boolean;
                                    } | {
                                        take: "item";
                                    } | {
                                        take: "item-in-list";
                                        prefix?: string | undefined;
                                        alsoShort?: boolean | undefined;
                                    } | {
                                        take: "alert-entity";
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    } | {
                                        take: "text";
                                        text: string;
                                    } | {
                                        take: "alert-time";
                                        as: "seconds" | "iso";
                                        minusDays?: number | undefined;
                                    };
                                };
                                proves: {
                                    inOne?: string | undefined;
                                    when: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    points: number;
                                    says: string;
                                    fact?: "confirmed-malicious" | "confirmed-benign" | "confirmed-test" | "malicious-reputation" | "suspicious-reputation" | "clean-reputation" | "unknown-reputation" | "contact" | "several-indicators" | "blocked-indicator" | "allowed-indicator" | "malware-not-removed" | "malware-ran" | "malware-detected" | "malware-removed" | "unwanted-software" | "suspicious-file" | "open-record-high" | "open-record-medium" | "other-open-record" | "earlier-attack" | "no-open-record" | "exposed-credential" | "domain-abuse-high" | "domain-abuse" | "intelligence-mention" | "vulnerability-present" | "exploited-in-organization" | "exploitable-in-organization" | "exploited-vulnerability" | "exploitable-vulnerability" | "low-risk-vulnerability" | "vulnerability-absent" | "dangerous-vulnerability" | "doubtful-vulnerability" | "harmless-vulnerability" | "important-asset" | "approved-test" | "trip-explains" | "no-trip" | undefined;
                                    at?: string | undefined;
                                    techniques: string[];
                                }[];
                                leadsTo?: {
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    path: string;
                                }[];
                                identifies?: {
                                    asset: "machine" | "account";
                                    path: string;
                                } | undefined;
                                shows: string[];
                            } | {
                                do: "propose";
                                id: string;
                                why: string;
                                skill: string;
                                each: {
                                    of: "entity";
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                } | {
                                    of: "answer";
                                    step: string;
                                    path: string;
                                    when?: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                };
                                input: {
                                    [key: string]: {
                                        take: "value";
                                        value: string | number | boolean;
                                    } | {
                                        take: "item";
                                    } | {
                                        take: "item-in-list";
                                        prefix?: string | undefined;
                                        alsoShort?: boolean | undefined;
                                    } | {
                                        take: "alert-entity";
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    } | {
                                        take: "text";
                                        text: string;
                                    } | {
                                        take: "alert-time";
                                        as: "seconds" | "iso";
                                        minusDays?: number | undefined;
                                    };
                                };
                                from: "suspicious" | "malicious";
                                releaseAfterHours?: number | undefined;
                            } | {
                                do: "correlate";
                                why: string;
                                by: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                                withinDays: number;
                            } | {
                                do: "search-records";
                                why: string;
                            } | {
                                do: "summarise";
                                why: string;
                            })[];
                        } | null;
                        created_at: number;
                        modified_at: number;
                        deleted_at: number | null;
                    };
                };
            };
        };
    };
    getPlaybookAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                playbook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playbook_id: string;
                        name: string;
                        origin: "written" | "generated";
                        organization_code: string | null;
                        alert_types: string[];
                        alert_type_count: number;
                        is_shared: boolean;
                        workflow_type: string;
                        severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                        version: number;
                        pinned_version: number | null;
                        runs: {
                            counted: number;
                            completed: number;
                            typical_seconds: number | null;
                        };
                        plan: {
                            steps: ({
                                do: "extract-indicators";
                                why: string;
                                of: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                            } | {
                                do: "ask";
                                id: string;
                                why: string;
                                skill: string;
                                each: {
                                    of: "entity";
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                } | {
                                    of: "answer";
                                    step: string;
                                    path: string;
                                    when?: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                };
                                input: {
                                    [key: string]: {
                                        take: "value";
                                        value: string | number | boolean;
                                    } | {
                                        take: "item";
                                    } | {
                                        take: "item-in-list";
                                        prefix?: string | undefined;
                                        alsoShort?: boolean | undefined;
                                    } | {
                                        take: "alert-entity";
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    } | {
                                        take: "text";
                                        text: string;
                                    } | {
                                        take: "alert-time";
                                        as: "seconds" | "iso";
                                        minusDays?: number | undefined;
                                    };
                                };
                                proves: {
                                    inOne?: string | undefined;
                                    when: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    points: number;
                                    says: string;
                                    fact?: "confirmed-malicious" | "confirmed-benign" | "confirmed-test" | "malicious-reputation" | "suspicious-reputation" | "clean-reputation" | "unknown-reputation" | "contact" | "several-indicators" | "blocked-indicator" | "allowed-indicator" | "malware-not-removed" | "malware-ran" | "malware-detected" | "malware-removed" | "unwanted-software" | "suspicious-file" | "open-record-high" | "open-record-medium" | "other-open-record" | "earlier-attack" | "no-open-record" | "exposed-credential" | "domain-abuse-high" | "domain-abuse" | "intelligence-mention" | "vulnerability-present" | "exploited-in-organization" | "exploitable-in-organization" | "exploited-vulnerability" | "exploitable-vulnerability" | "low-risk-vulnerability" | "vulnerability-absent" | "dangerous-vulnerability" | "doubtful-vulnerability" | "harmless-vulnerability" | "important-asset" | "approved-test" | "trip-explains" | "no-trip" | undefined;
                                    at?: string | undefined;
                                    techniques: string[];
                                }[];
                                leadsTo?: {
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    path: string;
                                }[];
                                identifies?: {
                                    asset: "machine" | "account";
                                    path: string;
                                } | undefined;
                                shows: string[];
                            } | {
                                do: "propose";
                                id: string;
                                why: string;
                                skill: string;
                                each: {
                                    of: "entity";
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                } | {
                                    of: "answer";
                                    step: string;
                                    path: string;
                                    when?: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                };
                                input: {
                                    [key: string]: {
                                        take: "value";
                                        value: string | number | boolean;
                                    } | {
                                        take: "item";
                                    } | {
                                        take: "item-in-list";
                                        prefix?: string | undefined;
                                        alsoShort?: boolean | undefined;
                                    } | {
                                        take: "alert-entity";
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    } | {
                                        take: "text";
                                        text: string;
                                    } | {
                                        take: "alert-time";
                                        as: "seconds" | "iso";
                                        minusDays?: number | undefined;
                                    };
                                };
                                from: "suspicious" | "malicious";
                                releaseAfterHours?: number | undefined;
                            } | {
                                do: "correlate";
                                why: string;
                                by: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                                withinDays: number;
                            } | {
                                do: "search-records";
                                why: string;
                            } | {
                                do: "summarise";
                                why: string;
                            })[];
                        } | null;
                        created_at: number;
                        modified_at: number;
                        deleted_at: number | null;
                    };
                };
            };
        };
    };
    deletePlaybookAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                playbook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPlaybookPlanAPI: {
        parameters: {
            query?: {
                version?: number | undefined;
            } | undefined;
            header?: never;
            path: {
                playbook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playbook_id: string;
                        version: number;
                        newest_version: number;
                        pinned_version: number | null;
                        plan: {
                            steps: ({
                                do: "extract-indicators";
                                why: string;
                                of: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                            } | {
                                do: "ask";
                                id: string;
                                why: string;
                                skill: string;
                                each: {
                                    of: "entity";
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                } | {
                                    of: "answer";
                                    step: string;
                                    path: string;
                                    when?: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                };
                                input: {
                                    [key: string]: {
                                        take: "value";
                                        value: string | number | boolean;
                                    } | {
                                        take: "item";
                                    } | {
                                        take: "item-in-list";
                                        prefix?: string | undefined;
                                        alsoShort?: boolean | undefined;
                                    } | {
                                        take: "alert-entity";
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    } | {
                                        take: "text";
                                        text: string;
                                    } | {
                                        take: "alert-time";
                                        as: "seconds" | "iso";
                                        minusDays?: number | undefined;
                                    };
                                };
                                proves: {
                                    inOne?: string | undefined;
                                    when: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    points: number;
                                    says: string;
                                    fact?: "confirmed-malicious" | "confirmed-benign" | "confirmed-test" | "malicious-reputation" | "suspicious-reputation" | "clean-reputation" | "unknown-reputation" | "contact" | "several-indicators" | "blocked-indicator" | "allowed-indicator" | "malware-not-removed" | "malware-ran" | "malware-detected" | "malware-removed" | "unwanted-software" | "suspicious-file" | "open-record-high" | "open-record-medium" | "other-open-record" | "earlier-attack" | "no-open-record" | "exposed-credential" | "domain-abuse-high" | "domain-abuse" | "intelligence-mention" | "vulnerability-present" | "exploited-in-organization" | "exploitable-in-organization" | "exploited-vulnerability" | "exploitable-vulnerability" | "low-risk-vulnerability" | "vulnerability-absent" | "dangerous-vulnerability" | "doubtful-vulnerability" | "harmless-vulnerability" | "important-asset" | "approved-test" | "trip-explains" | "no-trip" | undefined;
                                    at?: string | undefined;
                                    techniques: string[];
                                }[];
                                leadsTo?: {
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    path: string;
                                }[];
                                identifies?: {
                                    asset: "machine" | "account";
                                    path: string;
                                } | undefined;
                                shows: string[];
                            } | {
                                do: "propose";
                                id: string;
                                why: string;
                                skill: string;
                                each: {
                                    of: "entity";
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                } | {
                                    of: "answer";
                                    step: string;
                                    path: string;
                                    when?: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                };
                                input: {
                                    [key: string]: {
                                        take: "value";
                                        value: string | number | boolean;
                                    } | {
                                        take: "item";
                                    } | {
                                        take: "item-in-list";
                                        prefix?: string | undefined;
                                        alsoShort?: boolean | undefined;
                                    } | {
                                        take: "alert-entity";
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    } | {
                                        take: "text";
                                        text: string;
                                    } | {
                                        take: "alert-time";
                                        as: "seconds" | "iso";
                                        minusDays?: number | undefined;
                                    };
                                };
                                from: "suspicious" | "malicious";
                                releaseAfterHours?: number | undefined;
                            } | {
                                do: "correlate";
                                why: string;
                                by: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                                withinDays: number;
                            } | {
                                do: "search-records";
                                why: string;
                            } | {
                                do: "summarise";
                                why: string;
                            })[];
                        };
                        author: string | null;
                        made_from: number | null;
                        created_at: number;
                    };
                };
            };
        };
    };
    updatePlaybookPlanAPI: {
        parameters: {
            query?: {
                dry_run?: string | undefined;
            } | undefined;
            header?: never;
            path: {
                playbook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    made_from: number;
                    plan: {
                        steps: ({
                            do: "extract-indicators";
                            why: string;
                            of: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                        } | {
                            do: "ask";
                            id: string;
                            why: string;
                            skill: string;
                            each: {
                                of: "entity";
                                kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                atMost?: number | undefined;
                            } | {
                                of: "answer";
                                step: string;
                                path: string;
                                when?: {
                                    path: string | string[];
                                    is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                    value?: number | string | undefined;
                                }[];
                                only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                atMost?: number | undefined;
                            };
                            input: {
                                [key: string]: {
                                    take: "value";
                                    value: string | number | boolean;
                                } | {
                                    take: "item";
                                } | {
                                    take: "item-in-list";
                                    prefix?: string | undefined;
                                    alsoShort?: boolean | undefined;
                                } | {
                                    take: "alert-entity";
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                } | {
                                    take: "text";
                                    text: string;
                                } | {
                                    take: "alert-time";
                                    as: "seconds" | "iso";
                                    minusDays?: number | undefined;
                                };
                            };
                            proves: {
                                inOne?: string | undefined;
                                when: {
                                    path: string | string[];
                                    is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                    value?: number | string | undefined;
                                }[];
                                points: number;
                                says: string;
                                fact?: "confirmed-malicious" | "confirmed-benign" | "confirmed-test" | "malicious-reputation" | "suspicious-reputation" | "clean-reputation" | "unknown-reputation" | "contact" | "several-indicators" | "blocked-indicator" | "allowed-indicator" | "malware-not-removed" | "malware-ran" | "malware-detected" | "malware-removed" | "unwanted-software" | "suspicious-file" | "open-record-high" | "open-record-medium" | "other-open-record" | "earlier-attack" | "no-open-record" | "exposed-credential" | "domain-abuse-high" | "domain-abuse" | "intelligence-mention" | "vulnerability-present" | "exploited-in-organization" | "exploitable-in-organization" | "exploited-vulnerability" | "exploitable-vulnerability" | "low-risk-vulnerability" | "vulnerability-absent" | "dangerous-vulnerability" | "doubtful-vulnerability" | "harmless-vulnerability" | "important-asset" | "approved-test" | "trip-explains" | "no-trip" | undefined;
                                at?: string | undefined;
                                techniques?: string[] | undefined;
                            }[];
                            leadsTo?: {
                                kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                path: string;
                            }[];
                            identifies?: {
                                asset: "machine" | "account";
                                path: string;
                            } | undefined;
                            shows: string[];
                        } | {
                            do: "propose";
                            id: string;
                            why: string;
                            skill: string;
                            each: {
                                of: "entity";
                                kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                atMost?: number | undefined;
                            } | {
                                of: "answer";
                                step: string;
                                path: string;
                                when?: {
                                    path: string | string[];
                                    is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                    value?: number | string | undefined;
                                }[];
                                only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                atMost?: number | undefined;
                            };
                            input: {
                                [key: string]: {
                                    take: "value";
                                    value: string | number | boolean;
                                } | {
                                    take: "item";
                                } | {
                                    take: "item-in-list";
                                    prefix?: string | undefined;
                                    alsoShort?: boolean | undefined;
                                } | {
                                    take: "alert-entity";
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                } | {
                                    take: "text";
                                    text: string;
                                } | {
                                    take: "alert-time";
                                    as: "seconds" | "iso";
                                    minusDays?: number | undefined;
                                };
                            };
                            from: "suspicious" | "malicious";
                            releaseAfterHours?: number | undefined;
                        } | {
                            do: "correlate";
                            why: string;
                            by: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                            withinDays: number;
                        } | {
                            do: "search-records";
                            why: string;
                        } | {
                            do: "summarise";
                            why: string;
                        })[];
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playbook_id: string;
                        version: number;
                        newest_version: number;
                        pinned_version: number | null;
                        plan: {
                            steps: ({
                                do: "extract-indicators";
                                why: string;
                                of: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                            } | {
                                do: "ask";
                                id: string;
                                why: string;
                                skill: string;
                                each: {
                                    of: "entity";
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                } | {
                                    of: "answer";
                                    step: string;
                                    path: string;
                                    when?: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                };
                                input: {
                                    [key: string]: {
                                        take: "value";
                                        value: string | number | boolean;
                                    } | {
                                        take: "item";
                                    } | {
                                        take: "item-in-list";
                                        prefix?: string | undefined;
                                        alsoShort?: boolean | undefined;
                                    } | {
                                        take: "alert-entity";
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    } | {
                                        take: "text";
                                        text: string;
                                    } | {
                                        take: "alert-time";
                                        as: "seconds" | "iso";
                                        minusDays?: number | undefined;
                                    };
                                };
                                proves: {
                                    inOne?: string | undefined;
                                    when: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    points: number;
                                    says: string;
                                    fact?: "confirmed-malicious" | "confirmed-benign" | "confirmed-test" | "malicious-reputation" | "suspicious-reputation" | "clean-reputation" | "unknown-reputation" | "contact" | "several-indicators" | "blocked-indicator" | "allowed-indicator" | "malware-not-removed" | "malware-ran" | "malware-detected" | "malware-removed" | "unwanted-software" | "suspicious-file" | "open-record-high" | "open-record-medium" | "other-open-record" | "earlier-attack" | "no-open-record" | "exposed-credential" | "domain-abuse-high" | "domain-abuse" | "intelligence-mention" | "vulnerability-present" | "exploited-in-organization" | "exploitable-in-organization" | "exploited-vulnerability" | "exploitable-vulnerability" | "low-risk-vulnerability" | "vulnerability-absent" | "dangerous-vulnerability" | "doubtful-vulnerability" | "harmless-vulnerability" | "important-asset" | "approved-test" | "trip-explains" | "no-trip" | undefined;
                                    at?: string | undefined;
                                    techniques: string[];
                                }[];
                                leadsTo?: {
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    path: string;
                                }[];
                                identifies?: {
                                    asset: "machine" | "account";
                                    path: string;
                                } | undefined;
                                shows: string[];
                            } | {
                                do: "propose";
                                id: string;
                                why: string;
                                skill: string;
                                each: {
                                    of: "entity";
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                } | {
                                    of: "answer";
                                    step: string;
                                    path: string;
                                    when?: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                };
                                input: {
                                    [key: string]: {
                                        take: "value";
                                        value: string | number | boolean;
                                    } | {
                                        take: "item";
                                    } | {
                                        take: "item-in-list";
                                        prefix?: string | undefined;
                                        alsoShort?: boolean | undefined;
                                    } | {
                                        take: "alert-entity";
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    } | {
                                        take: "text";
                                        text: string;
                                    } | {
                                        take: "alert-time";
                                        as: "seconds" | "iso";
                                        minusDays?: number | undefined;
                                    };
                                };
                                from: "suspicious" | "malicious";
                                releaseAfterHours?: number | undefined;
                            } | {
                                do: "correlate";
                                why: string;
                                by: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                                withinDays: number;
                            } | {
                                do: "search-records";
                                why: string;
                            } | {
                                do: "summarise";
                                why: string;
                            })[];
                        };
                        author: string | null;
                        made_from: number | null;
                        created_at: number;
                        effect?: {
                            compared: number;
                            changed: {
                                alert_id: string;
                                before: {
                                    verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                                    score: number | null;
                                    gaps: string[];
                                    proposals: string[];
                                };
                                after: {
                                    verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
                                    score: number | null;
                                    gaps: string[];
                                    proposals: string[];
                                };
                                decided_by: string;
                            }[];
                        } | undefined;
                    };
                };
            };
        };
    };
    getPlanVersionListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path: {
                playbook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            version: number;
                            author: string | null;
                            made_from: number | null;
                            created_at: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getPlaybookStepsAPI: {
        parameters: {
            query?: {
                version?: number | undefined;
            } | undefined;
            header?: never;
            path: {
                playbook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playbook_id: string;
                        investigations: number;
                        steps: {
                            step_id: string;
                            connector: string;
                            skill_id: string;
                            skill_key: string;
                            does: "ask" | "propose";
                            investigations: number;
                            times: number;
                            unanswered: number;
                            typical_ms: number | null;
                            typical_start_ms: number | null;
                            after: string[];
                        }[];
                    };
                };
            };
        };
    };
    pinPlaybookPlanAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                playbook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    version: number | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playbook_id: string;
                        name: string;
                        origin: "written" | "generated";
                        organization_code: string | null;
                        alert_types: string[];
                        alert_type_count: number;
                        is_shared: boolean;
                        workflow_type: string;
                        severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                        version: number;
                        pinned_version: number | null;
                        runs: {
                            counted: number;
                            completed: number;
                            typical_seconds: number | null;
                        };
                        plan: {
                            steps: ({
                                do: "extract-indicators";
                                why: string;
                                of: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                            } | {
                                do: "ask";
                                id: string;
                                why: string;
                                skill: string;
                                each: {
                                    of: "entity";
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                } | {
                                    of: "answer";
                                    step: string;
                                    path: string;
                                    when?: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                };
                                input: {
                                    [key: string]: {
                                        take: "value";
                                        value: string | number | boolean;
                                    } | {
                                        take: "item";
                                    } | {
                                        take: "item-in-list";
                                        prefix?: string | undefined;
                                        alsoShort?: boolean | undefined;
                                    } | {
                                        take: "alert-entity";
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    } | {
                                        take: "text";
                                        text: string;
                                    } | {
                                        take: "alert-time";
                                        as: "seconds" | "iso";
                                        minusDays?: number | undefined;
                                    };
                                };
                                proves: {
                                    inOne?: string | undefined;
                                    when: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    points: number;
                                    says: string;
                                    fact?: "confirmed-malicious" | "confirmed-benign" | "confirmed-test" | "malicious-reputation" | "suspicious-reputation" | "clean-reputation" | "unknown-reputation" | "contact" | "several-indicators" | "blocked-indicator" | "allowed-indicator" | "malware-not-removed" | "malware-ran" | "malware-detected" | "malware-removed" | "unwanted-software" | "suspicious-file" | "open-record-high" | "open-record-medium" | "other-open-record" | "earlier-attack" | "no-open-record" | "exposed-credential" | "domain-abuse-high" | "domain-abuse" | "intelligence-mention" | "vulnerability-present" | "exploited-in-organization" | "exploitable-in-organization" | "exploited-vulnerability" | "exploitable-vulnerability" | "low-risk-vulnerability" | "vulnerability-absent" | "dangerous-vulnerability" | "doubtful-vulnerability" | "harmless-vulnerability" | "important-asset" | "approved-test" | "trip-explains" | "no-trip" | undefined;
                                    at?: string | undefined;
                                    techniques: string[];
                                }[];
                                leadsTo?: {
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    path: string;
                                }[];
                                identifies?: {
                                    asset: "machine" | "account";
                                    path: string;
                                } | undefined;
                                shows: string[];
                            } | {
                                do: "propose";
                                id: string;
                                why: string;
                                skill: string;
                                each: {
                                    of: "entity";
                                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                } | {
                                    of: "answer";
                                    step: string;
                                    path: string;
                                    when?: {
                                        path: string | string[];
                                        is: "at-least" | "below" | "equals" | "contains" | "has-length" | "true" | "present" | "absent" | "alert-place" | "every-alert-place" | "by-alert-time" | "near-alert-time" | "alert-entity" | "alert-has-place";
                                        value?: number | string | undefined;
                                    }[];
                                    only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | undefined;
                                    atMost: number;
                                };
                                input: {
                                    [key: string]: {
                                        take: "value";
                                        value: string | number | boolean;
                                    } | {
                                        take: "item";
                                    } | {
                                        take: "item-in-list";
                                        prefix?: string | undefined;
                                        alsoShort?: boolean | undefined;
                                    } | {
                                        take: "alert-entity";
                                        kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                                    } | {
                                        take: "text";
                                        text: string;
                                    } | {
                                        take: "alert-time";
                                        as: "seconds" | "iso";
                                        minusDays?: number | undefined;
                                    };
                                };
                                from: "suspicious" | "malicious";
                                releaseAfterHours?: number | undefined;
                            } | {
                                do: "correlate";
                                why: string;
                                by: ("ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id")[];
                                withinDays: number;
                            } | {
                                do: "search-records";
                                why: string;
                            } | {
                                do: "summarise";
                                why: string;
                            })[];
                        } | null;
                        created_at: number;
                        modified_at: number;
                        deleted_at: number | null;
                    };
                };
            };
        };
    };
    getOrganizationListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            organization_uuid: string;
                            organization_code: string;
                            name: string;
                            created_at: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createOrganizationAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    organization_code: string;
                    name: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organization_uuid: string;
                        organization_code: string;
                        name: string;
                        created_at: number;
                    };
                };
            };
        };
    };
    getPeopleListAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            name: string;
                        }[];
                    };
                };
            };
        };
    };
    getTaskTemplateListAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            template_id: string;
                            alert_type: string;
                            tasks: string[];
                            changed_by: string;
                            changed_at: number;
                        }[];
                    };
                };
            };
        };
    };
    saveTaskTemplateAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    alert_type: string;
                    tasks: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        template_id: string;
                        alert_type: string;
                        tasks: string[];
                        changed_by: string;
                        changed_at: number;
                    };
                };
            };
        };
    };
    deleteTaskTemplateAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
                template_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getNotificationChannelKindListAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            kind: "webhook" | "email" | "slack" | "teams" | "pagerduty";
                            title: string;
                            settings: {
                                name: string;
                                label: string;
                                help: string;
                                secret: boolean;
                                required: boolean;
                                schema: {
                                    [key: string]: unknown;
                                };
                            }[];
                            secrets: {
                                name: string;
                                label: string;
                                help: string;
                                secret: boolean;
                                required: boolean;
                                schema: {
                                    [key: string]: unknown;
                                };
                            }[];
                            receiver: string;
                            sends_digests: boolean;
                            has_signing_secret: boolean;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getNotificationChannelListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            channel_id: string;
                            organization_code: string;
                            name: string;
                            kind: "webhook" | "email" | "slack" | "teams" | "pagerduty";
                            settings: {
                                [key: string]: unknown;
                            };
                            is_enabled: boolean;
                            pending: number;
                            failed: number;
                            previous_secret_valid_until: number | null;
                            created_at: number;
                            modified_at: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createNotificationChannelAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    organization_code: string;
                    name: string;
                    kind: "webhook" | "email" | "slack" | "teams" | "pagerduty";
                    settings: {
                        [key: string]: unknown;
                    };
                    secrets?: {
                        [key: string]: string;
                    } | undefined;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channel_id: string;
                        organization_code: string;
                        name: string;
                        kind: "webhook" | "email" | "slack" | "teams" | "pagerduty";
                        settings: {
                            [key: string]: unknown;
                        };
                        is_enabled: boolean;
                        pending: number;
                        failed: number;
                        previous_secret_valid_until: number | null;
                        created_at: number;
                        modified_at: number;
                        signing_secret: string | null;
                    };
                };
            };
        };
    };
    deleteNotificationChannelAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateNotificationChannelAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | undefined;
                    settings?: {
                        [key: string]: unknown;
                    } | undefined;
                    secrets?: {
                        [key: string]: string;
                    } | undefined;
                    is_enabled?: boolean | undefined;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channel_id: string;
                        organization_code: string;
                        name: string;
                        kind: "webhook" | "email" | "slack" | "teams" | "pagerduty";
                        settings: {
                            [key: string]: unknown;
                        };
                        is_enabled: boolean;
                        pending: number;
                        failed: number;
                        previous_secret_valid_until: number | null;
                        created_at: number;
                        modified_at: number;
                    };
                };
            };
        };
    };
    rotateNotificationSecretAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channel_id: string;
                        organization_code: string;
                        name: string;
                        kind: "webhook" | "email" | "slack" | "teams" | "pagerduty";
                        settings: {
                            [key: string]: unknown;
                        };
                        is_enabled: boolean;
                        pending: number;
                        failed: number;
                        previous_secret_valid_until: number | null;
                        created_at: number;
                        modified_at: number;
                        signing_secret: string | null;
                    };
                };
            };
        };
    };
    testNotificationChannelAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        delivery_id: string;
                        event_id: string;
                        event: string;
                        title: string;
                        organization_code: string;
                        channel_id: string;
                        channel: string;
                        state: "pending" | "delivered" | "failed";
                        attempts: number;
                        next_attempt_at: number | null;
                        last_error: string | null;
                        created_at: number;
                        ended_at: number | null;
                    };
                };
            };
        };
    };
    replayNotificationChannelAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        replayed: number;
                    };
                };
            };
        };
    };
    getNotificationRuleListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            name: string;
                            channel_id: string;
                            events: ("alert.failed" | "case.opened" | "case.verdict_changed" | "case.assigned" | "case.commented" | "proposal.waiting" | "proposal.decided" | "action.failed" | "run.waiting" | "run.decided" | "connection.broken" | "connection.restored" | "agent.away" | "secret.expiring" | "sla.due_soon" | "sla.breached")[];
                            min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            verdicts: ("malicious" | "suspicious" | "benign" | "inconclusive")[];
                            assignee: string | null;
                            is_enabled: boolean;
                            quiet_hours: {
                                time_zone: string;
                                from: string;
                                to: string;
                                weekdays: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
                            } | null;
                            digest: ({
                                every_minutes: number;
                            } | {
                                at: string;
                                time_zone: string;
                            }) | null;
                            critical_at_once: boolean;
                            rule_id: string;
                            organization_code: string;
                            created_at: number;
                            modified_at: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createNotificationRuleAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    channel_id: string;
                    events: ("alert.failed" | "case.opened" | "case.verdict_changed" | "case.assigned" | "case.commented" | "proposal.waiting" | "proposal.decided" | "action.failed" | "run.waiting" | "run.decided" | "connection.broken" | "connection.restored" | "agent.away" | "secret.expiring" | "sla.due_soon" | "sla.breached")[];
                    min_severity?: ("informational" | "low" | "medium" | "high" | "critical") | null | undefined;
                    verdicts?: ("malicious" | "suspicious" | "benign" | "inconclusive")[] | undefined;
                    assignee?: string | null | undefined;
                    is_enabled?: boolean | undefined;
                    quiet_hours?: {
                        time_zone: string;
                        from: string;
                        to: string;
                        weekdays: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
                    } | null | undefined;
                    digest?: ({
                        every_minutes: number;
                    } | {
                        at: string;
                        time_zone: string;
                    }) | null;
                    critical_at_once?: boolean | undefined;
                    organization_code: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        channel_id: string;
                        events: ("alert.failed" | "case.opened" | "case.verdict_changed" | "case.assigned" | "case.commented" | "proposal.waiting" | "proposal.decided" | "action.failed" | "run.waiting" | "run.decided" | "connection.broken" | "connection.restored" | "agent.away" | "secret.expiring" | "sla.due_soon" | "sla.breached")[];
                        min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                        verdicts: ("malicious" | "suspicious" | "benign" | "inconclusive")[];
                        assignee: string | null;
                        is_enabled: boolean;
                        quiet_hours: {
                            time_zone: string;
                            from: string;
                            to: string;
                            weekdays: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
                        } | null;
                        digest: ({
                            every_minutes: number;
                        } | {
                            at: string;
                            time_zone: string;
                        }) | null;
                        critical_at_once: boolean;
                        rule_id: string;
                        organization_code: string;
                        created_at: number;
                        modified_at: number;
                    };
                };
            };
        };
    };
    updateNotificationRuleAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    channel_id: string;
                    events: ("alert.failed" | "case.opened" | "case.verdict_changed" | "case.assigned" | "case.commented" | "proposal.waiting" | "proposal.decided" | "action.failed" | "run.waiting" | "run.decided" | "connection.broken" | "connection.restored" | "agent.away" | "secret.expiring" | "sla.due_soon" | "sla.breached")[];
                    min_severity?: ("informational" | "low" | "medium" | "high" | "critical") | null | undefined;
                    verdicts?: ("malicious" | "suspicious" | "benign" | "inconclusive")[] | undefined;
                    assignee?: string | null | undefined;
                    is_enabled?: boolean | undefined;
                    quiet_hours?: {
                        time_zone: string;
                        from: string;
                        to: string;
                        weekdays: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
                    } | null | undefined;
                    digest?: ({
                        every_minutes: number;
                    } | {
                        at: string;
                        time_zone: string;
                    }) | null;
                    critical_at_once?: boolean | undefined;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        channel_id: string;
                        events: ("alert.failed" | "case.opened" | "case.verdict_changed" | "case.assigned" | "case.commented" | "proposal.waiting" | "proposal.decided" | "action.failed" | "run.waiting" | "run.decided" | "connection.broken" | "connection.restored" | "agent.away" | "secret.expiring" | "sla.due_soon" | "sla.breached")[];
                        min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                        verdicts: ("malicious" | "suspicious" | "benign" | "inconclusive")[];
                        assignee: string | null;
                        is_enabled: boolean;
                        quiet_hours: {
                            time_zone: string;
                            from: string;
                            to: string;
                            weekdays: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
                        } | null;
                        digest: ({
                            every_minutes: number;
                        } | {
                            at: string;
                            time_zone: string;
                        }) | null;
                        critical_at_once: boolean;
                        rule_id: string;
                        organization_code: string;
                        created_at: number;
                        modified_at: number;
                    };
                };
            };
        };
    };
    deleteNotificationRuleAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getNotificationDeliveryListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
                channel_id?: string | undefined;
                state?: "pending" | "delivered" | "failed" | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            delivery_id: string;
                            event_id: string;
                            event: string;
                            title: string;
                            organization_code: string;
                            channel_id: string;
                            channel: string;
                            state: "pending" | "delivered" | "failed";
                            attempts: number;
                            next_attempt_at: number | null;
                            last_error: string | null;
                            created_at: number;
                            ended_at: number | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    replayNotificationDeliveryAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        delivery_id: string;
                        event_id: string;
                        event: string;
                        title: string;
                        organization_code: string;
                        channel_id: string;
                        channel: string;
                        state: "pending" | "delivered" | "failed";
                        attempts: number;
                        next_attempt_at: number | null;
                        last_error: string | null;
                        created_at: number;
                        ended_at: number | null;
                    };
                };
            };
        };
    };
    getInboxAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
                unread?: true | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            entry_id: string;
                            event_id: string;
                            event: string;
                            organization_code: string;
                            title: string;
                            path: string;
                            at: number;
                            read_at: number | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getUnreadCountAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        unread: number;
                    };
                };
            };
        };
    };
    markInboxReadAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    through?: string | undefined;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    markInboxEntryReadAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getInboxPreferencesAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        groups: {
                            assignments: {
                                wanted: "none" | "mine" | "all";
                                min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            };
                            comments: {
                                wanted: "none" | "mine" | "all";
                                min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            };
                            cases: {
                                wanted: "none" | "mine" | "all";
                                min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            };
                            approvals: {
                                wanted: "none" | "mine" | "all";
                                min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            };
                            actions: {
                                wanted: "none" | "mine" | "all";
                                min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            };
                            connections: {
                                wanted: "none" | "mine" | "all";
                                min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            };
                        };
                        browser_notifications: boolean;
                    };
                };
            };
        };
    };
    saveInboxPreferencesAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    groups: {
                        assignments?: {
                            wanted: "none" | "mine" | "all";
                            min_severity?: ("informational" | "low" | "medium" | "high" | "critical") | null | undefined;
                        } | undefined;
                        comments?: {
                            wanted: "none" | "mine" | "all";
                            min_severity?: ("informational" | "low" | "medium" | "high" | "critical") | null | undefined;
                        } | undefined;
                        cases?: {
                            wanted: "none" | "mine" | "all";
                            min_severity?: ("informational" | "low" | "medium" | "high" | "critical") | null | undefined;
                        } | undefined;
                        approvals?: {
                            wanted: "none" | "mine" | "all";
                            min_severity?: ("informational" | "low" | "medium" | "high" | "critical") | null | undefined;
                        } | undefined;
                        actions?: {
                            wanted: "none" | "mine" | "all";
                            min_severity?: ("informational" | "low" | "medium" | "high" | "critical") | null | undefined;
                        } | undefined;
                        connections?: {
                            wanted: "none" | "mine" | "all";
                            min_severity?: ("informational" | "low" | "medium" | "high" | "critical") | null | undefined;
                        } | undefined;
                    };
                    browser_notifications?: boolean | undefined;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        groups: {
                            assignments: {
                                wanted: "none" | "mine" | "all";
                                min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            };
                            comments: {
                                wanted: "none" | "mine" | "all";
                                min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            };
                            cases: {
                                wanted: "none" | "mine" | "all";
                                min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            };
                            approvals: {
                                wanted: "none" | "mine" | "all";
                                min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            };
                            actions: {
                                wanted: "none" | "mine" | "all";
                                min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            };
                            connections: {
                                wanted: "none" | "mine" | "all";
                                min_severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            };
                        };
                        browser_notifications: boolean;
                    };
                };
            };
        };
    };
    getKnowledgeListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            knowledge_id: string;
                            organization_code: string;
                            kind: "domain" | "network" | "mail-relay" | "syslog-relay" | "vpn-exit" | "nat" | "scanner" | "test-account" | "drill-provider";
                            value: string;
                            note: string;
                            created_by: string;
                            created_at: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createKnowledgeAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    kind: "domain" | "network" | "mail-relay" | "syslog-relay" | "vpn-exit" | "nat" | "scanner" | "test-account" | "drill-provider";
                    value: string;
                    note?: string | undefined;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        knowledge_id: string;
                        organization_code: string;
                        kind: "domain" | "network" | "mail-relay" | "syslog-relay" | "vpn-exit" | "nat" | "scanner" | "test-account" | "drill-provider";
                        value: string;
                        note: string;
                        created_by: string;
                        created_at: number;
                    };
                };
            };
        };
    };
    updateKnowledgeAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    kind: "domain" | "network" | "mail-relay" | "syslog-relay" | "vpn-exit" | "nat" | "scanner" | "test-account" | "drill-provider";
                    value: string;
                    note?: string | undefined;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        knowledge_id: string;
                        organization_code: string;
                        kind: "domain" | "network" | "mail-relay" | "syslog-relay" | "vpn-exit" | "nat" | "scanner" | "test-account" | "drill-provider";
                        value: string;
                        note: string;
                        created_by: string;
                        created_at: number;
                    };
                };
            };
        };
    };
    deleteKnowledgeAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getKnowledgeSuggestionListAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            kind: "domain" | "network" | "mail-relay" | "syslog-relay" | "vpn-exit" | "nat" | "scanner" | "test-account" | "drill-provider";
                            value: string;
                            source: "prevalence" | "machine-names" | "directory";
                            reason: string;
                        }[];
                    };
                };
            };
        };
    };
    rejectKnowledgeSuggestionAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    kind: "domain" | "network" | "mail-relay" | "syslog-relay" | "vpn-exit" | "nat" | "scanner" | "test-account" | "drill-provider";
                    value: string;
                    note?: string | undefined;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getRetentionAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organization_code: string;
                        rules: {
                            kind: "alerts" | "answers" | "records" | "stream-events" | "histories" | "audit";
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            days: number;
                        }[];
                        legal_hold: {
                            placed_by: string;
                            placed_at: number;
                            reason: string;
                        } | null;
                    };
                };
            };
        };
    };
    updateRetentionAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    rules: {
                        kind: "alerts" | "answers" | "records" | "stream-events" | "histories" | "audit";
                        severity?: ("informational" | "low" | "medium" | "high" | "critical") | null | undefined;
                        days: number;
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organization_code: string;
                        rules: {
                            kind: "alerts" | "answers" | "records" | "stream-events" | "histories" | "audit";
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            days: number;
                        }[];
                        legal_hold: {
                            placed_by: string;
                            placed_at: number;
                            reason: string;
                        } | null;
                    };
                };
            };
        };
    };
    dryRunRetentionAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    rules?: {
                        kind: "alerts" | "answers" | "records" | "stream-events" | "histories" | "audit";
                        severity?: ("informational" | "low" | "medium" | "high" | "critical") | null | undefined;
                        days: number;
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            kind: "alerts" | "answers" | "records" | "stream-events" | "histories" | "audit";
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            days: number;
                            would_delete: number | null;
                            held: number;
                            oldest_kept_at: number | null;
                        }[];
                    };
                };
            };
        };
    };
    placeLegalHoldAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organization_code: string;
                        rules: {
                            kind: "alerts" | "answers" | "records" | "stream-events" | "histories" | "audit";
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            days: number;
                        }[];
                        legal_hold: {
                            placed_by: string;
                            placed_at: number;
                            reason: string;
                        } | null;
                    };
                };
            };
        };
    };
    releaseLegalHoldAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organization_code: string;
                        rules: {
                            kind: "alerts" | "answers" | "records" | "stream-events" | "histories" | "audit";
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            days: number;
                        }[];
                        legal_hold: {
                            placed_by: string;
                            placed_at: number;
                            reason: string;
                        } | null;
                    };
                };
            };
        };
    };
    placeCaseLegalHoldAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    releaseCaseLegalHoldAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                case_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSlaPolicyAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organization_code: string;
                        time_zone: string;
                        hours: {
                            day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
                            from: string;
                            to: string;
                        }[];
                        holidays: string[];
                        warn_percent: number;
                        targets: {
                            severity: "informational" | "low" | "medium" | "high" | "critical";
                            acknowledge_minutes: number | null;
                            close_minutes: number | null;
                        }[];
                        modified_at: number | null;
                    };
                };
            };
        };
    };
    updateSlaPolicyAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    time_zone: string;
                    hours: {
                        day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
                        from: string;
                        to: string;
                    }[];
                    holidays: string[];
                    warn_percent?: number | undefined;
                    targets: {
                        severity: "informational" | "low" | "medium" | "high" | "critical";
                        acknowledge_minutes: number | null;
                        close_minutes: number | null;
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organization_code: string;
                        time_zone: string;
                        hours: {
                            day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
                            from: string;
                            to: string;
                        }[];
                        holidays: string[];
                        warn_percent: number;
                        targets: {
                            severity: "informational" | "low" | "medium" | "high" | "critical";
                            acknowledge_minutes: number | null;
                            close_minutes: number | null;
                        }[];
                        modified_at: number | null;
                    };
                };
            };
        };
    };
    getThirdPartyRecordsAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
                text?: string | undefined;
                kind?: "alert" | "incident" | "investigation" | "intelligence-alert" | "indicator" | undefined;
                connection_id?: string | undefined;
                organization_code?: string | undefined;
                since?: number | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            record_uuid: string;
                            record_id: string;
                            kind: "alert" | "incident" | "investigation" | "intelligence-alert" | "indicator";
                            connection_id: string;
                            connection: string;
                            connector: string;
                            organization_code: string;
                            title: string;
                            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
                            is_open: boolean;
                            state: string;
                            conclusion: ("malicious" | "unwanted" | "benign" | "test") | null;
                            happened_at: number | null;
                            updated_at: number | null;
                            merged_into: string | null;
                            techniques: string[];
                            values: string[];
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getThirdPartyRecordCopiesAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            connection_id: string;
                            connection: string;
                            connector: string;
                            organization_code: string;
                            kind: "alert" | "incident" | "investigation" | "intelligence-alert" | "indicator";
                            covered_from: number | null;
                            read_at: number | null;
                            is_reading: boolean;
                            last_error: string | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getProvidersAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            provider_uuid: string;
                            name: string;
                            segment: string;
                            created_at: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProviderAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        provider_uuid: string;
                        name: string;
                        segment: string;
                        created_at: number;
                    };
                };
            };
        };
    };
    getApiKeyListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            key_uuid: string;
                            name: string;
                            role: "sender" | "analyst" | "admin";
                            organization_code: string | null;
                            owner: string | null;
                            service: string | null;
                            created_at: number;
                            expires_at: number | null;
                            revoked_at: number | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createApiKeyAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    role: "sender" | "analyst" | "admin";
                    organization_code: string | null;
                    expires_at?: number | undefined;
                    service?: string | undefined;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key_uuid: string;
                        name: string;
                        role: "sender" | "analyst" | "admin";
                        organization_code: string | null;
                        owner: string | null;
                        service: string | null;
                        created_at: number;
                        expires_at: number | null;
                        revoked_at: number | null;
                        api_key: string;
                    };
                };
            };
        };
    };
    revokeApiKeyAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getUserListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            user_uuid: string;
                            name: string;
                            email: string | null;
                            is_local: boolean;
                            memberships: {
                                organization_code: string | null;
                                role: "sender" | "analyst" | "admin";
                            }[];
                            created_at: number;
                            last_sign_in_at: number | null;
                            deactivated_at: number | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    deactivateUserAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSessionListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            session_uuid: string;
                            user_uuid: string;
                            name: string;
                            client: string;
                            created_at: number;
                            last_seen_at: number;
                            ends_at: number;
                            is_current: boolean;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    revokeSessionAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getInvitationListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            invitation_uuid: string;
                            email: string | null;
                            role: "sender" | "analyst" | "admin";
                            organization_code: string | null;
                            invited_by: string;
                            created_at: number;
                            expires_at: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createInvitationAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    role: "analyst" | "admin";
                    organization_code: string | null;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitation_uuid: string;
                        email: string | null;
                        role: "sender" | "analyst" | "admin";
                        organization_code: string | null;
                        invited_by: string;
                        created_at: number;
                        expires_at: number;
                        token: string;
                    };
                };
            };
        };
    };
    revokeInvitationAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAuditLogAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
                action?: string | undefined;
                principal_name?: string | undefined;
                target?: string | undefined;
                at_from?: number | undefined;
                at_before?: number | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            entry_no: number;
                            at: number;
                            principal_uuid: string | null;
                            principal_name: string;
                            user_uuid: string | null;
                            key_name: string | null;
                            organization_code: string | null;
                            action: string;
                            target: string;
                            details: {
                                [key: string]: unknown;
                            } | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getOverviewAPI: {
        parameters: {
            query?: {
                hours?: number | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        since: number;
                        bucket_seconds: number;
                        alerts: {
                            at: number;
                            created: number;
                            submitted: number;
                            in_progress: number;
                            completed: number;
                            failed: number;
                        }[];
                        counted_at: number;
                        time_to_verdict: {
                            p50_seconds: number;
                            p95_seconds: number;
                            investigations: number;
                        } | null;
                        verdicts: {
                            verdict: "malicious" | "suspicious" | "benign" | "inconclusive";
                            cases: number;
                        }[];
                        open_cases: number;
                        unassigned_cases: number;
                        proposals_waiting: number;
                        skill_runs_waiting: number;
                        sla: {
                            acknowledged: {
                                mean_seconds: number;
                                cases: number;
                            } | null;
                            closed: {
                                mean_seconds: number;
                                cases: number;
                            } | null;
                            breaches: {
                                breached: number;
                                decided: number;
                            };
                        };
                        connections: {
                            connection_id: string;
                            organization_code: string;
                            connector: string;
                            instance_name: string;
                            state: "untested" | "working" | "broken";
                            reason: string | null;
                            waiting: number;
                        }[];
                        expiring_secrets: {
                            connection_id: string;
                            organization_code: string;
                            connector: string;
                            instance_name: string;
                            secret_expires_on: string;
                        }[];
                    };
                };
            };
        };
    };
    getClaimMappingListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            mapping_uuid: string;
                            claim: string;
                            value: string;
                            role: "sender" | "analyst" | "admin";
                            organization_code: string | null;
                            created_at: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createClaimMappingAPI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    claim: string;
                    value: string;
                    role: "analyst" | "admin";
                    organization_code: string | null;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        mapping_uuid: string;
                        claim: string;
                        value: string;
                        role: "sender" | "analyst" | "admin";
                        organization_code: string | null;
                        created_at: number;
                    };
                };
            };
        };
    };
    deleteClaimMappingAPI: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                mapping_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
