// Generated from the operations of the API: do not edit. `npm run api:types` writes it again.

export interface paths {
    "/temporal-codec/decode": {
        post: operations["decodePayloadsAPI"];
        options: {
            responses: {
                200: {
                };
            };
        };
    };
    "/alerts": {
        get: operations["getAlertListAPI"];
        post: operations["createAlertAPI"];
    };
    "/alerts/{alert_id}": {
        get: operations["getAlertAPI"];
    };
    "/alerts/{alert_id}/investigate": {
        post: operations["investigateAlertAPI"];
    };
    "/cases": {
        get: operations["getCaseListAPI"];
    };
    "/case-counts": {
        get: operations["getCaseCountsAPI"];
    };
    "/case-visit": {
        post: operations["recordCaseVisitAPI"];
    };
    "/cases/bulk": {
        post: operations["changeCasesAPI"];
    };
    "/cases/{case_id}": {
        get: operations["getCaseAPI"];
        patch: operations["updateCaseAPI"];
    };
    "/cases/{case_id}/merge": {
        post: operations["mergeCaseAPI"];
    };
    "/cases/{case_id}/unmerge": {
        post: operations["unmergeCaseAPI"];
    };
    "/cases/{case_id}/tasks": {
        get: operations["getCaseTaskListAPI"];
        post: operations["createCaseTasksAPI"];
    };
    "/cases/{case_id}/tasks/{task_id}": {
        delete: operations["deleteCaseTaskAPI"];
        patch: operations["updateCaseTaskAPI"];
    };
    "/cases/{case_id}/attachments": {
        get: operations["getAttachmentListAPI"];
        post: operations["createAttachmentAPI"];
    };
    "/cases/{case_id}/attachments/{attachment_id}": {
        get: {
            parameters: {
                path: {
                    case_id: string;
                    attachment_id: string;
                };
            };
            responses: {
                200: {
                };
            };
        };
        delete: operations["deleteAttachmentAPI"];
    };
    "/entity": {
        get: operations["getEntityAPI"];
    };
    "/entity/alerts": {
        get: operations["getEntityAlertListAPI"];
    };
    "/cases/{case_id}/graph": {
        get: operations["getCaseGraphAPI"];
    };
    "/search": {
        get: operations["searchAPI"];
    };
    "/saved-views": {
        get: operations["getSavedViewListAPI"];
        post: operations["createSavedViewAPI"];
    };
    "/saved-views/{view_id}": {
        delete: operations["deleteSavedViewAPI"];
        patch: operations["updateSavedViewAPI"];
    };
    "/connectors": {
        get: operations["getConnectorListAPI"];
    };
    "/connections": {
        get: operations["getConnectionListAPI"];
        post: operations["createConnectionAPI"];
    };
    "/connections/{connection_id}": {
        get: operations["getConnectionAPI"];
        delete: operations["deleteConnectionAPI"];
        patch: operations["updateConnectionAPI"];
    };
    "/connections/{connection_id}/reconnect": {
        post: operations["reconnectConnectionAPI"];
    };
    "/connections/{connection_id}/test": {
        post: operations["testConnectionAPI"];
    };
    "/credential-links": {
        get: operations["getCredentialLinkListAPI"];
        post: operations["createConnectionLinkAPI"];
    };
    "/connections/{connection_id}/credential-links": {
        post: operations["createCredentialLinkAPI"];
    };
    "/credential-links/{link_id}": {
        delete: operations["revokeCredentialLinkAPI"];
    };
    "/handover": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Handover"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        credentials: {
                            [key: string]: unknown;
                        };
                        secret_expires_on?: string | null | undefined;
                        consents_to_agent?: boolean | undefined;
                    };
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/connections/{connection_id}/skills/{skill}": {
        post: operations["runSkillAPI"];
    };
    "/skill-runs": {
        get: operations["getSkillRunListAPI"];
    };
    "/skill-runs/{run_id}": {
        get: operations["getSkillRunAPI"];
    };
    "/skill-runs/{run_id}/decision": {
        /** @deprecated */
        post: operations["decideSkillRunAPI"];
    };
    "/skill-results/{result_id}": {
        get: operations["getSkillResultAPI"];
    };
    "/proposals": {
        get: operations["getProposalListAPI"];
    };
    "/proposals/{proposal_id}": {
        get: operations["getProposalAPI"];
    };
    "/proposals/{proposal_id}/approve": {
        post: operations["approveProposalAPI"];
    };
    "/proposals/{proposal_id}/refuse": {
        post: operations["refuseProposalAPI"];
    };
    "/proposals/{proposal_id}/reconfirm": {
        post: operations["reconfirmProposalAPI"];
    };
    "/proposals/{proposal_id}/release": {
        post: operations["releaseProposalAPI"];
    };
    "/response": {
        get: operations["getResponseRulesAPI"];
        patch: operations["updateResponseRulesAPI"];
    };
    "/response/stop": {
        post: operations["stopWritesAPI"];
    };
    "/response/resume": {
        post: operations["resumeWritesAPI"];
    };
    "/protected-assets": {
        get: operations["getProtectedAssetListAPI"];
        post: operations["createProtectedAssetAPI"];
    };
    "/protected-assets/{asset_id}": {
        delete: operations["deleteProtectedAssetAPI"];
    };
    "/remote-agents": {
        get: operations["getRemoteAgentListAPI"];
        post: operations["createRemoteAgentAPI"];
    };
    "/remote-agents/{agent_id}/confirm": {
        post: operations["confirmRemoteAgentAPI"];
    };
    "/remote-agents/{agent_id}": {
        delete: operations["revokeRemoteAgentAPI"];
    };
    "/playbooks": {
        get: operations["getPlaybookListAPI"];
        post: operations["createPlaybookAPI"];
    };
    "/playbooks/{playbook_id}": {
        get: operations["getPlaybookAPI"];
        delete: operations["deletePlaybookAPI"];
    };
    "/playbooks/{playbook_id}/plan": {
        get: operations["getPlaybookPlanAPI"];
        put: operations["updatePlaybookPlanAPI"];
    };
    "/playbooks/{playbook_id}/plan/versions": {
        get: operations["getPlanVersionListAPI"];
    };
    "/playbooks/{playbook_id}/steps": {
        get: operations["getPlaybookStepsAPI"];
    };
    "/playbooks/{playbook_id}/pin": {
        put: operations["pinPlaybookPlanAPI"];
    };
    "/organizations": {
        get: operations["getOrganizationListAPI"];
        post: operations["createOrganizationAPI"];
    };
    "/organizations/{organization_code}/sign-in-policy": {
        get: operations["getSignInPolicyAPI"];
        put: operations["saveSignInPolicyAPI"];
    };
    "/organizations/{organization_code}/people": {
        get: operations["getPeopleListAPI"];
    };
    "/organizations/{organization_code}/task-templates": {
        get: operations["getTaskTemplateListAPI"];
        put: operations["saveTaskTemplateAPI"];
    };
    "/organizations/{organization_code}/task-templates/{template_id}": {
        delete: operations["deleteTaskTemplateAPI"];
    };
    "/notification-channel-kinds": {
        get: operations["getNotificationChannelKindListAPI"];
    };
    "/notification-channels": {
        get: operations["getNotificationChannelListAPI"];
        post: operations["createNotificationChannelAPI"];
    };
    "/notification-channels/{channel_id}": {
        delete: operations["deleteNotificationChannelAPI"];
        patch: operations["updateNotificationChannelAPI"];
    };
    "/notification-channels/{channel_id}/rotate-secret": {
        post: operations["rotateNotificationSecretAPI"];
    };
    "/notification-channels/{channel_id}/test": {
        post: operations["testNotificationChannelAPI"];
    };
    "/notification-channels/{channel_id}/replay": {
        post: operations["replayNotificationChannelAPI"];
    };
    "/notification-rules": {
        get: operations["getNotificationRuleListAPI"];
        post: operations["createNotificationRuleAPI"];
    };
    "/notification-rules/{rule_id}": {
        put: operations["updateNotificationRuleAPI"];
        delete: operations["deleteNotificationRuleAPI"];
    };
    "/notification-deliveries": {
        get: operations["getNotificationDeliveryListAPI"];
    };
    "/notification-deliveries/{delivery_id}/replay": {
        post: operations["replayNotificationDeliveryAPI"];
    };
    "/inbox": {
        get: operations["getInboxAPI"];
    };
    "/inbox/unread-count": {
        get: operations["getUnreadCountAPI"];
    };
    "/inbox/read": {
        post: operations["markInboxReadAPI"];
    };
    "/inbox/{entry_id}/read": {
        post: operations["markInboxEntryReadAPI"];
    };
    "/inbox/preferences": {
        get: operations["getInboxPreferencesAPI"];
        put: operations["saveInboxPreferencesAPI"];
    };
    "/organizations/{organization_code}/knowledge": {
        get: operations["getKnowledgeListAPI"];
        post: operations["createKnowledgeAPI"];
    };
    "/organizations/{organization_code}/knowledge/{knowledge_id}": {
        put: operations["updateKnowledgeAPI"];
        delete: operations["deleteKnowledgeAPI"];
    };
    "/organizations/{organization_code}/knowledge-suggestions": {
        get: operations["getKnowledgeSuggestionListAPI"];
    };
    "/organizations/{organization_code}/knowledge-suggestions/reject": {
        post: operations["rejectKnowledgeSuggestionAPI"];
    };
    "/organizations/{organization_code}/retention": {
        get: operations["getRetentionAPI"];
        put: operations["updateRetentionAPI"];
    };
    "/organizations/{organization_code}/retention/dry-run": {
        post: operations["dryRunRetentionAPI"];
    };
    "/organizations/{organization_code}/legal-hold": {
        post: operations["placeLegalHoldAPI"];
    };
    "/organizations/{organization_code}/legal-hold/release": {
        post: operations["releaseLegalHoldAPI"];
    };
    "/cases/{case_id}/legal-hold": {
        post: operations["placeCaseLegalHoldAPI"];
    };
    "/cases/{case_id}/legal-hold/release": {
        post: operations["releaseCaseLegalHoldAPI"];
    };
    "/organizations/{organization_code}/sla": {
        get: operations["getSlaPolicyAPI"];
        put: operations["updateSlaPolicyAPI"];
    };
    "/third-party-records": {
        get: operations["getThirdPartyRecordsAPI"];
    };
    "/third-party-record-copies": {
        get: operations["getThirdPartyRecordCopiesAPI"];
    };
    "/providers": {
        get: operations["getProvidersAPI"];
        post: operations["createProviderAPI"];
    };
    "/api-keys": {
        get: operations["getApiKeyListAPI"];
        post: operations["createApiKeyAPI"];
    };
    "/api-keys/{key_id}": {
        delete: operations["revokeApiKeyAPI"];
    };
    "/users": {
        get: operations["getUserListAPI"];
    };
    "/users/{user_id}/belongings": {
        get: operations["getUserBelongingsAPI"];
    };
    "/users/{user_id}/hand-over": {
        post: operations["handOverBelongingsAPI"];
    };
    "/users/{user_id}/deactivate": {
        post: operations["deactivateUserAPI"];
    };
    "/sessions": {
        get: operations["getSessionListAPI"];
    };
    "/sessions/{session_id}": {
        delete: operations["revokeSessionAPI"];
    };
    "/invitations": {
        get: operations["getInvitationListAPI"];
        post: operations["createInvitationAPI"];
    };
    "/invitations/{invitation_id}": {
        delete: operations["revokeInvitationAPI"];
    };
    "/audit": {
        get: operations["getAuditLogAPI"];
    };
    "/alerts.csv": {
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
            };
            responses: {
                200: {
                };
            };
        };
    };
    "/cases.csv": {
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
            };
            responses: {
                200: {
                };
            };
        };
    };
    "/cases/{case_id}/export": {
        get: {
            parameters: {
                query: {
                    format: "markdown" | "json" | "stix";
                };
                path: {
                    case_id: string;
                };
            };
            responses: {
                200: {
                };
            };
        };
    };
    "/overview": {
        get: operations["getOverviewAPI"];
    };
    "/session": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        api_key: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        delete: {
            responses: {
                204: {
                };
            };
        };
    };
    "/session/password": {
        put: {
            requestBody: {
                content: {
                    "application/json": {
                        current_password: string;
                        new_password: string;
                    };
                };
            };
            responses: {
                204: {
                };
            };
        };
        post: {
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
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    "/session/join": {
        post: {
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
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    "/session/organization": {
        put: {
            requestBody: {
                content: {
                    "application/json": {
                        organization_code: string | null;
                    };
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/session/verify": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                    } | {
                        code: string;
                    };
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/session/totp": {
        put: {
            requestBody: {
                content: {
                    "application/json": {
                        code: string;
                    };
                };
            };
            responses: {
                204: {
                };
            };
        };
        post: {
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["TotpSecret"];
                    };
                };
            };
        };
    };
    "/session/totp/remove": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        code: string;
                    };
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/session/chat-identities": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            items: components["schemas"]["ChatIdentity"][];
                        };
                    };
                };
            };
        };
    };
    "/session/chat-identities/code": {
        post: {
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["ChatLinkCode"];
                    };
                };
            };
        };
    };
    "/session/chat-identities/{identity_id}/confirm": {
        post: {
            parameters: {
                path: {
                    identity_id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/session/chat-identities/{identity_id}": {
        delete: {
            parameters: {
                path: {
                    identity_id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/session/options": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SignInOptions"];
                    };
                };
            };
        };
    };
    "/claim-mappings": {
        get: operations["getClaimMappingListAPI"];
        post: operations["createClaimMappingAPI"];
    };
    "/claim-mappings/{mapping_id}": {
        delete: operations["deleteClaimMappingAPI"];
    };
    "/events": {
        get: {
            responses: {
                200: {
                };
            };
        };
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Alert: {
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
        AlertListItem: {
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
        AlertDetail: {
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
            entities: components["schemas"]["Entity"][];
            own: components["schemas"]["OwnEntity"][];
            answers: components["schemas"]["AnsweredQuestion"][];
            waiting_on: components["schemas"]["Waiting"][];
            under_way: components["schemas"]["QuestionUnderWay"][] | null;
        };
        CaseSummary: {
            case_id: string;
            title: string;
            alert_id: string;
            organization_code: string;
            playbook: string | null;
            status: "open" | "in_progress" | "closed";
            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
            severity_reasons: string[];
            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
            score: number | null;
            confidence: number | null;
            summary: string;
            reasons: components["schemas"]["VerdictReason"][];
            assignee: string | null;
            analyst_verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
            analyst_verdict_reason: string | null;
            classification: ("true_positive" | "false_positive" | "benign_positive") | null;
            tags: string[];
            opened_at: number;
            modified_at: number;
            closed_at: number | null;
            merged_into: string | null;
            sla: components["schemas"]["CaseSla"];
        };
        CaseCounts: {
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
        CaseVisit: {
            last_visit_at: number | null;
        };
        CaseChangeResult: {
            case_id: string;
            is_changed: boolean;
            problem: string | null;
            undo: components["schemas"]["UndoUpdate"] | null;
            unmerge: {
                reason: string;
            } | null;
        };
        CaseDetail: {
            case_id: string;
            title: string;
            alert_id: string;
            organization_code: string;
            playbook: string | null;
            status: "open" | "in_progress" | "closed";
            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
            severity_reasons: string[];
            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
            score: number | null;
            confidence: number | null;
            summary: string;
            reasons: components["schemas"]["VerdictReason"][];
            assignee: string | null;
            analyst_verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
            analyst_verdict_reason: string | null;
            classification: ("true_positive" | "false_positive" | "benign_positive") | null;
            tags: string[];
            opened_at: number;
            modified_at: number;
            closed_at: number | null;
            merged_into: string | null;
            sla: components["schemas"]["CaseSla"];
            alert_ids: string[];
            techniques: string[];
            investigations: components["schemas"]["InvestigationRecord"][];
            linked: components["schemas"]["LinkedAlert"][];
            linked_count: number;
            proposals: components["schemas"]["CaseProposal"][];
            merged: string[];
            evidence: components["schemas"]["Evidence"][];
            earlier_evidence: components["schemas"]["Evidence"][];
            timeline: components["schemas"]["TimelineEntry"][];
            legal_hold: {
                placed_by: string;
                placed_at: number;
                reason: string;
            } | null;
            waiting_on: components["schemas"]["Waiting"][];
        };
        CaseTasks: {
            items: components["schemas"]["CaseTask"][];
            suggested: string[];
        };
        CaseTask: {
            task_id: string;
            title: string;
            created_by: string;
            created_at: number;
            done_by: string | null;
            done_at: number | null;
        };
        Attachment: {
            attachment_id: string;
            name: string;
            size: number;
            sha256: string;
            added_by: string;
            added_at: number;
        };
        EntityDetail: {
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
            similar: {
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
            answers: components["schemas"]["EntityAnswer"][];
            actions: components["schemas"]["EntityAction"][];
        };
        EntityAlert: {
            alert_id: string;
            alert_type: string;
            created_at: number;
            investigation_status: 0 | 5 | 10 | 15 | 20;
            role: ("source" | "destination" | "victim" | "sender" | "recipient" | "actor" | "reporter") | null;
            case_id: string | null;
            case_title: string | null;
            case_status: ("open" | "in_progress" | "closed") | null;
            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
        };
        CaseGraph: {
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
                    role: ("source" | "destination" | "victim" | "sender" | "recipient" | "actor" | "reporter") | null;
                }[];
            }[];
            entity_count: number;
            events: components["schemas"]["CaseEvent"][];
        };
        SearchResult: {
            entities: components["schemas"]["SearchHit"][];
            cases: components["schemas"]["SearchHit"][];
            alerts: components["schemas"]["SearchHit"][];
            comments: components["schemas"]["SearchHit"][];
            evidence: components["schemas"]["SearchHit"][];
            connections: components["schemas"]["SearchHit"][];
        };
        SavedView: {
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
        Connector: {
            connector: string;
            title: string;
            products: string[];
            icon: "device" | "incident" | "malware" | "vulnerability" | "travel" | "intelligence";
            purpose: string;
            setup: string[];
            credentials: components["schemas"]["ConnectorField"][];
            settings: components["schemas"]["ConnectorField"][];
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
        };
        Connection: {
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
            needs_second_person_default: boolean;
            second_person_rule: "always" | "sensitive" | "never";
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
            refused_skills: components["schemas"]["RefusedSkill"][];
            waiting_investigations: number;
            waiting_alerts: string[];
            rotation: components["schemas"]["RotationAdvice"] | null;
            tested_at: number | null;
            created_at: number;
            modified_at: number;
        };
        PendingRuleChange: {
            change: "resume-writes" | "raise-limit" | "unprotect-asset" | "drop-second-person" | "release-action" | "confirm-agent";
            target: string;
            value: number | null;
            asked_by: string;
            asked_at: number;
            expires_at: number;
            not_counted: string | null;
        };
        Reconnected: {
            connection: components["schemas"]["Connection"];
            test: components["schemas"]["ConnectionTestReport"] | null;
        };
        ConnectionTestReport: {
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
        CreatedCredentialLink: {
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
        CredentialLink: {
            link_id: string;
            organization_code: string;
            connector: string;
            instance_name: string;
            connection_id: string | null;
            created_by: string;
            created_at: number;
            expires_at: number;
        };
        Handover: {
            organization: string;
            asked_by: string;
            title: string;
            products: string[];
            instance_name: string;
            setup: string[];
            permissions: string[];
            credentials: components["schemas"]["ConnectorField"][];
            settings: {
                label: string;
                value: string;
            }[];
            remote_agent: {
                name: string;
            } | null;
            expires_at: number;
        };
        SkillOutcome: {
            skill_id: string;
            skill_key: string;
            output: {
                [key: string]: unknown;
            };
            truncated: boolean;
            attempts: number;
            duration_ms: number;
        };
        SkillRun: {
            run_id: string;
            skill_id: string;
            skill_key: string;
            connection_id: string;
            input: unknown;
            state: "proposed" | "running" | "done" | "failed" | "refused";
            asked_by: string;
            asked_at: number;
            decided_by: string | null;
            outcome: components["schemas"]["SkillOutcome"] | null;
            problem: {
                code: string;
                message: string;
                third_party_status: number | null;
                resolution: string | null;
            } | null;
        };
        SkillRunListItem: {
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
        };
        Proposal: {
            proposal_id: string;
            organization_code: string;
            case_id: string | null;
            alert_id: string | null;
            requested_by: string | null;
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
            approvals_given: number;
            needs_two_people: boolean;
            decisions: {
                by: string;
                decision: "approve" | "refuse";
                reason: string | null;
                at: number;
                not_counted: string | null;
            }[];
            release_after_hours: number | null;
            undoable: boolean;
            undo_of: string | null;
            run_at: number | null;
            release_requested_by: string | null;
            proposed_at: number;
            expires_at: number | null;
            ended_at: number | null;
            result_id: string | null;
            outcome: string | null;
        };
        ResponseRules: {
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
            pending_changes: components["schemas"]["PendingRuleChange"][];
        };
        ProtectedAsset: {
            asset_id: string;
            organization_code: string;
            kind: "host" | "user" | "tag";
            value: string;
            reason: string;
            created_by: string;
            created_at: number;
        };
        CreatedRemoteAgent: {
            agent_id: string;
            organization_code: string;
            name: string;
            version: string | null;
            last_seen_at: number | null;
            waiting_steps: number;
            waiting_since: number | null;
            created_at: number;
            confirmed_at: number | null;
            revoked_at: number | null;
            token: string;
        };
        RemoteAgent: {
            agent_id: string;
            organization_code: string;
            name: string;
            version: string | null;
            last_seen_at: number | null;
            waiting_steps: number;
            waiting_since: number | null;
            created_at: number;
            confirmed_at: number | null;
            revoked_at: number | null;
        };
        PlaybookSummary: {
            playbook_id: string;
            name: string;
            origin: "written" | "generated";
            organization_code: string | null;
            alert_types: string[];
            alert_type_count: number;
            is_shared: boolean;
            used_by: number;
            plan_of: {
                playbook_id: string;
                name: string;
            } | null;
            workflow_type: string;
            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
            version: number;
            pinned_version: number | null;
            runs: {
                counted: number;
                completed: number;
                typical_seconds: number | null;
            };
            created_at: number;
            modified_at: number;
            deleted_at: number | null;
        };
        Playbook: {
            playbook_id: string;
            name: string;
            origin: "written" | "generated";
            organization_code: string | null;
            alert_types: string[];
            alert_type_count: number;
            is_shared: boolean;
            used_by: number;
            plan_of: {
                playbook_id: string;
                name: string;
            } | null;
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
                steps: components["schemas"]["PlanStep"][];
            } | null;
            created_at: number;
            modified_at: number;
            deleted_at: number | null;
        };
        PlanVersion: {
            playbook_id: string;
            version: number;
            newest_version: number;
            pinned_version: number | null;
            plan: {
                steps: components["schemas"]["PlanStep"][];
            };
            author: string | null;
            made_from: number | null;
            created_at: number;
        };
        PlanStepInput: {
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
                only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | "person" | "account" | undefined;
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
                only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | "person" | "account" | undefined;
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
                    take: "alert-entities";
                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                    atMost?: number | undefined;
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
                fact?: "confirmed-malicious" | "confirmed-benign" | "confirmed-test" | "malicious-reputation" | "suspicious-reputation" | "clean-reputation" | "unknown-reputation" | "contact" | "several-indicators" | "blocked-indicator" | "allowed-indicator" | "malware-not-removed" | "malware-ran" | "malware-detected" | "malware-removed" | "malware-on-shared" | "unwanted-software" | "suspicious-file" | "open-record-high" | "open-record-medium" | "other-open-record" | "earlier-attack" | "no-open-record" | "exposed-credential" | "domain-abuse-high" | "domain-abuse" | "intelligence-mention" | "vulnerability-present" | "exploited-in-organization" | "exploitable-in-organization" | "exploited-vulnerability" | "exploitable-vulnerability" | "low-risk-vulnerability" | "vulnerability-absent" | "dangerous-vulnerability" | "doubtful-vulnerability" | "harmless-vulnerability" | "not-found" | "missing-reference" | "unknown-subject" | "important-asset" | "behaviour" | "approved-test" | "trip-explains" | "no-trip" | undefined;
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
                only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | "person" | "account" | undefined;
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
                only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | "person" | "account" | undefined;
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
                    take: "alert-entities";
                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                    atMost?: number | undefined;
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
        };
        PlanStep: {
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
                only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | "person" | "account" | undefined;
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
                only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | "person" | "account" | undefined;
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
                    take: "alert-entities";
                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                    atMost: number;
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
                fact?: "confirmed-malicious" | "confirmed-benign" | "confirmed-test" | "malicious-reputation" | "suspicious-reputation" | "clean-reputation" | "unknown-reputation" | "contact" | "several-indicators" | "blocked-indicator" | "allowed-indicator" | "malware-not-removed" | "malware-ran" | "malware-detected" | "malware-removed" | "malware-on-shared" | "unwanted-software" | "suspicious-file" | "open-record-high" | "open-record-medium" | "other-open-record" | "earlier-attack" | "no-open-record" | "exposed-credential" | "domain-abuse-high" | "domain-abuse" | "intelligence-mention" | "vulnerability-present" | "exploited-in-organization" | "exploitable-in-organization" | "exploited-vulnerability" | "exploitable-vulnerability" | "low-risk-vulnerability" | "vulnerability-absent" | "dangerous-vulnerability" | "doubtful-vulnerability" | "harmless-vulnerability" | "not-found" | "missing-reference" | "unknown-subject" | "important-asset" | "behaviour" | "approved-test" | "trip-explains" | "no-trip" | undefined;
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
                only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | "person" | "account" | undefined;
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
                only?: "public" | "private" | "sha256" | "machine-like" | "without-machine" | "person" | "account" | undefined;
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
                    take: "alert-entities";
                    kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                    atMost: number;
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
        };
        PlanEffect: {
            compared: number;
            changed: components["schemas"]["Comparison"][];
        };
        PlanVersionSummary: {
            version: number;
            author: string | null;
            made_from: number | null;
            created_at: number;
        };
        StepsAsRun: {
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
        Organization: {
            organization_uuid: string;
            organization_code: string;
            name: string;
            created_at: number;
        };
        SignInPolicy: {
            requires_two_factor: boolean;
        };
        TaskTemplate: {
            template_id: string;
            alert_type: string;
            tasks: string[];
            changed_by: string;
            changed_at: number;
        };
        ChannelForm: {
            kind: "webhook" | "email" | "slack" | "teams" | "pagerduty";
            title: string;
            settings: components["schemas"]["ConnectorField"][];
            secrets: components["schemas"]["ConnectorField"][];
            receiver: string;
            sends_digests: boolean;
            has_signing_secret: boolean;
        };
        Channel: {
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
        ChannelWithSecret: {
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
        Delivery: {
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
        Rule: {
            name: string;
            channel_id: string;
            events: ("alert.failed" | "case.opened" | "case.verdict_changed" | "case.assigned" | "case.commented" | "proposal.waiting" | "proposal.decided" | "action.failed" | "run.waiting" | "run.decided" | "connection.broken" | "connection.restored" | "agent.away" | "secret.expiring" | "sla.due_soon" | "sla.breached" | "rule.change_requested" | "rule.relaxed")[];
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
        InboxEntry: {
            entry_id: string;
            event_id: string;
            event: string;
            organization_code: string;
            title: string;
            path: string;
            at: number;
            read_at: number | null;
        };
        UnreadCount: {
            unread: number;
        };
        InboxPreferences: {
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
        Knowledge: {
            knowledge_id: string;
            organization_code: string;
            kind: "domain" | "network" | "mail-relay" | "syslog-relay" | "vpn-exit" | "nat" | "scanner" | "test-account" | "drill-provider" | "important-machine" | "important-account" | "shared-host" | "service-account";
            value: string;
            note: string;
            created_by: string;
            created_at: number;
        };
        KnowledgeSuggestion: {
            kind: "domain" | "network" | "mail-relay" | "syslog-relay" | "vpn-exit" | "nat" | "scanner" | "test-account" | "drill-provider" | "important-machine" | "important-account" | "shared-host" | "service-account";
            value: string;
            source: "prevalence" | "machine-names" | "directory" | "shared-values";
            reason: string;
        };
        Retention: {
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
        RetentionCount: {
            kind: "alerts" | "answers" | "records" | "stream-events" | "histories" | "audit";
            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
            days: number;
            would_delete: number | null;
            held: number;
            oldest_kept_at: number | null;
        };
        SlaPolicy: {
            organization_code: string;
            time_zone: string;
            hours: {
                day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
                from: string;
                to: string;
            }[];
            holidays: string[];
            warn_percent: number;
            targets: components["schemas"]["SlaTarget"][];
            modified_at: number | null;
        };
        ListedRecord: {
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
        };
        RecordCopy: {
            connection_id: string;
            connection: string;
            connector: string;
            organization_code: string;
            kind: "alert" | "incident" | "investigation" | "intelligence-alert" | "indicator";
            covered_from: number | null;
            read_at: number | null;
            is_reading: boolean;
            last_error: string | null;
        };
        Provider: {
            provider_uuid: string;
            name: string;
            segment: string;
            created_at: number;
        };
        CreatedApiKey: {
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
        ApiKey: {
            key_uuid: string;
            name: string;
            role: "sender" | "analyst" | "admin";
            organization_code: string | null;
            owner: string | null;
            service: string | null;
            created_at: number;
            expires_at: number | null;
            revoked_at: number | null;
        };
        User: {
            user_uuid: string;
            name: string;
            email: string | null;
            is_local: boolean;
            is_vouched: boolean;
            memberships: components["schemas"]["Membership"][];
            created_at: number;
            last_sign_in_at: number | null;
            deactivated_at: number | null;
        };
        Belongings: {
            items: components["schemas"]["Belonging"][];
            own_keys: number;
            open_cases: number;
            waiting_proposals: number;
        };
        UserSession: {
            session_uuid: string;
            user_uuid: string;
            name: string;
            client: string;
            created_at: number;
            last_seen_at: number;
            ends_at: number;
            is_current: boolean;
        };
        CreatedInvitation: {
            invitation_uuid: string;
            email: string | null;
            role: "sender" | "analyst" | "admin";
            organization_code: string | null;
            invited_by: string;
            created_at: number;
            expires_at: number;
            token: string;
        };
        Invitation: {
            invitation_uuid: string;
            email: string | null;
            role: "sender" | "analyst" | "admin";
            organization_code: string | null;
            invited_by: string;
            created_at: number;
            expires_at: number;
        };
        AuditEntry: {
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
        };
        Overview: {
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
        Session: {
            key_uuid: string | null;
            user_uuid: string | null;
            name: string;
            memberships: components["schemas"]["Membership"][];
            has_second_step: boolean | null;
            approvals_not_counted: string | null;
            needs_two_factor?: true | undefined;
            role: "sender" | "analyst" | "admin";
            organization_code: string | null;
            temporal_web: string | null;
        };
        TotpSecret: {
            secret: string;
            uri: string;
        };
        ChatIdentity: {
            identity_id: string;
            kind: "slack";
            workspace: string;
            workspace_name: string;
            app_id: string | null;
            chat_user_id: string;
            chat_user_name: string;
            linked_at: number;
            confirmed_at: number | null;
        };
        ChatLinkCode: {
            code: string;
            expires_at: number;
        };
        SignInOptions: {
            provider: boolean;
            password: boolean;
        };
        ClaimMapping: {
            mapping_uuid: string;
            claim: string;
            value: string;
            role: "sender" | "analyst" | "admin";
            organization_code: string | null;
            created_at: number;
        };
        Membership: {
            organization_code: string | null;
            role: "sender" | "analyst" | "admin";
        };
        Belonging: {
            kind: "service-key" | "remote-agent" | "invitation" | "credential-link";
            id: string;
            name: string;
            organization_code: string | null;
            can_hand_over: boolean;
        };
        SlaTarget: {
            severity: "informational" | "low" | "medium" | "high" | "critical";
            acknowledge_minutes: number | null;
            close_minutes: number | null;
        };
        ConnectorField: {
            name: string;
            label: string;
            help: string;
            secret: boolean;
            required: boolean;
            schema: {
                [key: string]: unknown;
            };
        };
        Comparison: {
            alert_id: string;
            before: components["schemas"]["Judgement"];
            after: components["schemas"]["Judgement"];
            decided_by: string;
        };
        Judgement: {
            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
            score: number | null;
            gaps: string[];
            proposals: string[];
        };
        RefusedSkill: {
            skill_id: string;
            skill_key: string;
            reason: string;
            resolution: string | null;
            since: number;
        };
        RotationAdvice: {
            state: "fresh" | "due" | "overdue";
            age_days: number;
            advised_days: number;
            advice: string;
        };
        SearchHit: {
            id: string;
            title: string;
            snippet: string;
            organization_code: string;
            at: number | null;
            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
            severity: ("informational" | "low" | "medium" | "high" | "critical") | null;
            page: string;
        };
        CaseEvent: {
            at: number;
            kind: "alert" | "record" | "action";
            title: string;
            source: string;
            alert_id: string | null;
            shares: string[];
        };
        EntityAnswer: {
            result_id: string;
            alert_id: string;
            connector: string;
            connection: string;
            skill_id: string;
            skill_key: string;
            at: number;
        };
        EntityAction: {
            connector: string;
            slug: string;
            skill_id: string;
            skill_key: string;
            purpose: string;
            effect: "read" | "write";
            input: {
                [key: string]: string;
            };
        };
        VerdictReason: {
            points: number | null;
            text: string;
        };
        CaseSla: {
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
        InvestigationRecord: {
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
            changed: components["schemas"]["InvestigationChange"] | null;
        };
        LinkedAlert: {
            alert_id: string;
            alert_type: string;
            case_id: string | null;
            verdict: ("malicious" | "suspicious" | "benign" | "inconclusive") | null;
            shares: {
                kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
                value: string;
            }[];
        };
        CaseProposal: {
            proposal_id: string;
            organization_code: string;
            case_id: string;
            alert_id: string;
            requested_by: string | null;
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
            approvals_given: number;
            needs_two_people: boolean;
            decisions: {
                by: string;
                decision: "approve" | "refuse";
                reason: string | null;
                at: number;
                not_counted: string | null;
            }[];
            release_after_hours: number | null;
            undoable: boolean;
            undo_of: string | null;
            run_at: number | null;
            release_requested_by: string | null;
            proposed_at: number;
            expires_at: number | null;
            ended_at: number | null;
            result_id: string | null;
            outcome: string | null;
        };
        Evidence: {
            step: string;
            kind: "finding" | "gap" | "note";
            source: {
                connector: string;
                connection: string | null;
                skill_id: string;
                skill_key?: string | undefined;
                result_id?: string | undefined;
                reused?: boolean | undefined;
                copied_at?: number | undefined;
                asked?: components["schemas"]["AskedQuestion"] | undefined;
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
        };
        TimelineEntry: {
            at: number;
            kind: "opened" | "concluded" | "failed" | "reinvestigated" | "status" | "assignee" | "comment" | "verdict" | "proposed" | "decided" | "action" | "follow-up" | "merge" | "legal-hold" | "title" | "task" | "attachment" | "tags";
            by: string | null;
            text: string;
            mentions: string[];
        };
        Waiting: {
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
        };
        AskedQuestion: {
            input: unknown;
            at: number;
            alert_id: string | null;
            duration_ms: number | null;
            request_digest: string;
            reply_digest: string | null;
        };
        InvestigationChange: {
            since_investigation_no: number;
            verdict_before: string | null;
            verdict_now: string | null;
            evidence: components["schemas"]["EvidenceChange"][];
        };
        EvidenceChange: {
            change: "new" | "gone" | "weighs differently" | "answered" | "unanswered";
            title: string;
            points_before: number | null;
            points_now: number | null;
        };
        UndoUpdate: {
            status?: "open" | "in_progress" | "closed" | undefined;
            classification?: "true_positive" | "false_positive" | "benign_positive" | undefined;
            assignee?: string | null | undefined;
            tags?: string[] | undefined;
            analyst_verdict?: {
                verdict: "malicious" | "suspicious" | "benign" | "inconclusive";
                reason: string;
            } | null | undefined;
        };
        Entity: {
            kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
            value: string;
            role?: "source" | "destination" | "victim" | "sender" | "recipient" | "actor" | "reporter" | undefined;
        };
        OwnEntity: {
            kind: "ip" | "domain" | "url" | "hash" | "cve" | "email" | "user" | "host" | "machine-id" | "incident-id" | "alert-id" | "investigation-id";
            value: string;
            reason: string;
            individual: boolean;
            approved_test?: boolean | undefined;
            important?: boolean | undefined;
        };
        AnsweredQuestion: {
            result_id: string;
            skill_id: string;
            skill_key: string;
            connection: string;
            at: number;
            duration_ms: number | null;
            tries: number;
        };
        QuestionUnderWay: {
            skill_id: string;
            skill_key: string;
            connection: string | null;
            since: number;
            attempt: number;
            waits_for: "answer" | "worker" | "retry" | "rate-limit" | "remote-agent" | "reconnect";
            until: number | null;
            problem: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    decodePayloadsAPI: {
        parameters: {
            header: {
                "x-namespace": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    payloads: {
                        metadata?: {
                            [key: string]: string;
                        } | undefined;
                        data?: string | undefined;
                    }[];
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        payloads: {
                            metadata: {
                                [key: string]: string;
                            };
                            data: string;
                        }[];
                    };
                };
            };
        };
    };
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["AlertListItem"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createAlertAPI: {
        parameters: {
            header?: {
                "idempotency-key"?: string | undefined;
            } | undefined;
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
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
        };
    };
    getAlertAPI: {
        parameters: {
            path: {
                alert_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AlertDetail"];
                };
            };
        };
    };
    investigateAlertAPI: {
        parameters: {
            path: {
                alert_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["AlertListItem"];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["CaseSummary"][];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CaseCounts"];
                };
            };
        };
    };
    recordCaseVisitAPI: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CaseVisit"];
                };
            };
        };
    };
    changeCasesAPI: {
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
                content: {
                    "application/json": {
                        results: components["schemas"]["CaseChangeResult"][];
                    };
                };
            };
        };
    };
    getCaseAPI: {
        parameters: {
            path: {
                case_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CaseDetail"];
                };
            };
        };
    };
    updateCaseAPI: {
        parameters: {
            path: {
                case_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["CaseDetail"];
                };
            };
        };
    };
    mergeCaseAPI: {
        parameters: {
            path: {
                case_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["CaseDetail"];
                };
            };
        };
    };
    unmergeCaseAPI: {
        parameters: {
            path: {
                case_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["CaseDetail"];
                };
            };
        };
    };
    getCaseTaskListAPI: {
        parameters: {
            path: {
                case_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CaseTasks"];
                };
            };
        };
    };
    createCaseTasksAPI: {
        parameters: {
            path: {
                case_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["CaseTasks"];
                };
            };
        };
    };
    deleteCaseTaskAPI: {
        parameters: {
            path: {
                case_id: string;
                task_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    updateCaseTaskAPI: {
        parameters: {
            path: {
                case_id: string;
                task_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["CaseTask"];
                };
            };
        };
    };
    getAttachmentListAPI: {
        parameters: {
            path: {
                case_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["Attachment"][];
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
            path: {
                case_id: string;
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
        };
    };
    deleteAttachmentAPI: {
        parameters: {
            path: {
                case_id: string;
                attachment_id: string;
            };
        };
        responses: {
            204: {
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
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityDetail"];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["EntityAlert"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getCaseGraphAPI: {
        parameters: {
            path: {
                case_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CaseGraph"];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SearchResult"];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["SavedView"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createSavedViewAPI: {
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
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
        };
    };
    deleteSavedViewAPI: {
        parameters: {
            path: {
                view_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    updateSavedViewAPI: {
        parameters: {
            path: {
                view_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
        };
    };
    getConnectorListAPI: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["Connector"][];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["Connection"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createConnectionAPI: {
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
                    needs_second_person?: boolean | null | undefined;
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
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
        };
    };
    getConnectionAPI: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
        };
    };
    deleteConnectionAPI: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["PendingRuleChange"];
                };
            };
            204: {
            };
        };
    };
    updateConnectionAPI: {
        parameters: {
            path: {
                connection_id: string;
            };
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
                    needs_second_person?: boolean | null | undefined;
                    feeds_intake?: boolean | undefined;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["PendingRuleChange"];
                };
            };
        };
    };
    reconnectConnectionAPI: {
        parameters: {
            path: {
                connection_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["Reconnected"];
                };
            };
        };
    };
    testConnectionAPI: {
        parameters: {
            path: {
                connection_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConnectionTestReport"];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["CredentialLink"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createConnectionLinkAPI: {
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
                    needs_second_person?: boolean | null | undefined;
                    feeds_intake?: boolean | undefined;
                    valid_hours?: number | undefined;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedCredentialLink"];
                };
            };
        };
    };
    createCredentialLinkAPI: {
        parameters: {
            path: {
                connection_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["CreatedCredentialLink"];
                };
            };
        };
    };
    revokeCredentialLinkAPI: {
        parameters: {
            path: {
                link_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    runSkillAPI: {
        parameters: {
            path: {
                connection_id: string;
                skill: string;
            };
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
                content: {
                    "application/json": components["schemas"]["SkillOutcome"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["SkillRun"];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["SkillRunListItem"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getSkillRunAPI: {
        parameters: {
            path: {
                run_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SkillRun"];
                };
            };
        };
    };
    decideSkillRunAPI: {
        parameters: {
            path: {
                run_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["SkillRun"];
                };
            };
        };
    };
    getSkillResultAPI: {
        parameters: {
            path: {
                result_id: string;
            };
        };
        responses: {
            200: {
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
                connector?: string | undefined;
                manual?: "true" | "false" | "only" | undefined;
            } | undefined;
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["Proposal"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getProposalAPI: {
        parameters: {
            path: {
                proposal_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
        };
    };
    approveProposalAPI: {
        parameters: {
            path: {
                proposal_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
        };
    };
    refuseProposalAPI: {
        parameters: {
            path: {
                proposal_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
        };
    };
    reconfirmProposalAPI: {
        parameters: {
            path: {
                proposal_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
        };
    };
    releaseProposalAPI: {
        parameters: {
            path: {
                proposal_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
        };
    };
    getResponseRulesAPI: {
        parameters: {
            query?: {
                organization_code?: string | undefined;
            } | undefined;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ResponseRules"];
                };
            };
        };
    };
    updateResponseRulesAPI: {
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
                content: {
                    "application/json": components["schemas"]["ResponseRules"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["PendingRuleChange"];
                };
            };
        };
    };
    stopWritesAPI: {
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
                content: {
                    "application/json": components["schemas"]["ResponseRules"];
                };
            };
        };
    };
    resumeWritesAPI: {
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
                content: {
                    "application/json": components["schemas"]["ResponseRules"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["PendingRuleChange"];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["ProtectedAsset"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProtectedAssetAPI: {
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
                content: {
                    "application/json": components["schemas"]["ProtectedAsset"];
                };
            };
        };
    };
    deleteProtectedAssetAPI: {
        parameters: {
            path: {
                asset_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["PendingRuleChange"];
                };
            };
            204: {
            };
        };
    };
    getRemoteAgentListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["RemoteAgent"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createRemoteAgentAPI: {
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
                content: {
                    "application/json": components["schemas"]["CreatedRemoteAgent"];
                };
            };
        };
    };
    confirmRemoteAgentAPI: {
        parameters: {
            path: {
                agent_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["PendingRuleChange"];
                };
            };
            204: {
            };
        };
    };
    revokeRemoteAgentAPI: {
        parameters: {
            path: {
                agent_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    getPlaybookListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["PlaybookSummary"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createPlaybookAPI: {
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
                content: {
                    "application/json": components["schemas"]["Playbook"];
                };
            };
        };
    };
    getPlaybookAPI: {
        parameters: {
            path: {
                playbook_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Playbook"];
                };
            };
        };
    };
    deletePlaybookAPI: {
        parameters: {
            path: {
                playbook_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    getPlaybookPlanAPI: {
        parameters: {
            query?: {
                version?: number | undefined;
            } | undefined;
            path: {
                playbook_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PlanVersion"];
                };
            };
        };
    };
    updatePlaybookPlanAPI: {
        parameters: {
            query?: {
                dry_run?: string | undefined;
            } | undefined;
            path: {
                playbook_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    made_from: number;
                    plan: {
                        steps: components["schemas"]["PlanStepInput"][];
                    };
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        playbook_id: string;
                        version: number;
                        newest_version: number;
                        pinned_version: number | null;
                        plan: {
                            steps: components["schemas"]["PlanStep"][];
                        };
                        author: string | null;
                        made_from: number | null;
                        created_at: number;
                        effect?: components["schemas"]["PlanEffect"] | undefined;
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
            path: {
                playbook_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["PlanVersionSummary"][];
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
            path: {
                playbook_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StepsAsRun"];
                };
            };
        };
    };
    pinPlaybookPlanAPI: {
        parameters: {
            path: {
                playbook_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["Playbook"];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["Organization"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createOrganizationAPI: {
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
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    getSignInPolicyAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInPolicy"];
                };
            };
        };
    };
    saveSignInPolicyAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    requires_two_factor: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInPolicy"];
                };
            };
        };
    };
    getPeopleListAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
        };
        responses: {
            200: {
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
            path: {
                organization_code: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["TaskTemplate"][];
                    };
                };
            };
        };
    };
    saveTaskTemplateAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
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
                content: {
                    "application/json": components["schemas"]["TaskTemplate"];
                };
            };
        };
    };
    deleteTaskTemplateAPI: {
        parameters: {
            path: {
                organization_code: string;
                template_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    getNotificationChannelKindListAPI: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["ChannelForm"][];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["Channel"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createNotificationChannelAPI: {
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
                content: {
                    "application/json": components["schemas"]["ChannelWithSecret"];
                };
            };
        };
    };
    deleteNotificationChannelAPI: {
        parameters: {
            path: {
                channel_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    updateNotificationChannelAPI: {
        parameters: {
            path: {
                channel_id: string;
            };
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
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    rotateNotificationSecretAPI: {
        parameters: {
            path: {
                channel_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChannelWithSecret"];
                };
            };
        };
    };
    testNotificationChannelAPI: {
        parameters: {
            path: {
                channel_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    replayNotificationChannelAPI: {
        parameters: {
            path: {
                channel_id: string;
            };
        };
        responses: {
            200: {
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["Rule"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createNotificationRuleAPI: {
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    channel_id: string;
                    events: ("alert.failed" | "case.opened" | "case.verdict_changed" | "case.assigned" | "case.commented" | "proposal.waiting" | "proposal.decided" | "action.failed" | "run.waiting" | "run.decided" | "connection.broken" | "connection.restored" | "agent.away" | "secret.expiring" | "sla.due_soon" | "sla.breached" | "rule.change_requested" | "rule.relaxed")[];
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
                content: {
                    "application/json": components["schemas"]["Rule"];
                };
            };
        };
    };
    updateNotificationRuleAPI: {
        parameters: {
            path: {
                rule_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    channel_id: string;
                    events: ("alert.failed" | "case.opened" | "case.verdict_changed" | "case.assigned" | "case.commented" | "proposal.waiting" | "proposal.decided" | "action.failed" | "run.waiting" | "run.decided" | "connection.broken" | "connection.restored" | "agent.away" | "secret.expiring" | "sla.due_soon" | "sla.breached" | "rule.change_requested" | "rule.relaxed")[];
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
                content: {
                    "application/json": components["schemas"]["Rule"];
                };
            };
        };
    };
    deleteNotificationRuleAPI: {
        parameters: {
            path: {
                rule_id: string;
            };
        };
        responses: {
            204: {
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["Delivery"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    replayNotificationDeliveryAPI: {
        parameters: {
            path: {
                delivery_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Delivery"];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["InboxEntry"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getUnreadCountAPI: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UnreadCount"];
                };
            };
        };
    };
    markInboxReadAPI: {
        requestBody: {
            content: {
                "application/json": {
                    through?: string | undefined;
                };
            };
        };
        responses: {
            204: {
            };
        };
    };
    markInboxEntryReadAPI: {
        parameters: {
            path: {
                entry_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    getInboxPreferencesAPI: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InboxPreferences"];
                };
            };
        };
    };
    saveInboxPreferencesAPI: {
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
                content: {
                    "application/json": components["schemas"]["InboxPreferences"];
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
            path: {
                organization_code: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["Knowledge"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createKnowledgeAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    kind: "domain" | "network" | "mail-relay" | "syslog-relay" | "vpn-exit" | "nat" | "scanner" | "test-account" | "drill-provider" | "important-machine" | "important-account" | "shared-host" | "service-account";
                    value: string;
                    note?: string | undefined;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Knowledge"];
                };
            };
        };
    };
    updateKnowledgeAPI: {
        parameters: {
            path: {
                organization_code: string;
                knowledge_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    kind: "domain" | "network" | "mail-relay" | "syslog-relay" | "vpn-exit" | "nat" | "scanner" | "test-account" | "drill-provider" | "important-machine" | "important-account" | "shared-host" | "service-account";
                    value: string;
                    note?: string | undefined;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Knowledge"];
                };
            };
        };
    };
    deleteKnowledgeAPI: {
        parameters: {
            path: {
                organization_code: string;
                knowledge_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    getKnowledgeSuggestionListAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["KnowledgeSuggestion"][];
                    };
                };
            };
        };
    };
    rejectKnowledgeSuggestionAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    kind: "domain" | "network" | "mail-relay" | "syslog-relay" | "vpn-exit" | "nat" | "scanner" | "test-account" | "drill-provider" | "important-machine" | "important-account" | "shared-host" | "service-account";
                    value: string;
                    note?: string | undefined;
                };
            };
        };
        responses: {
            204: {
            };
        };
    };
    getRetentionAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
        };
    };
    updateRetentionAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
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
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
        };
    };
    dryRunRetentionAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
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
                content: {
                    "application/json": {
                        items: components["schemas"]["RetentionCount"][];
                    };
                };
            };
        };
    };
    placeLegalHoldAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
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
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
        };
    };
    releaseLegalHoldAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
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
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
        };
    };
    placeCaseLegalHoldAPI: {
        parameters: {
            path: {
                case_id: string;
            };
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
            };
        };
    };
    releaseCaseLegalHoldAPI: {
        parameters: {
            path: {
                case_id: string;
            };
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
            };
        };
    };
    getSlaPolicyAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SlaPolicy"];
                };
            };
        };
    };
    updateSlaPolicyAPI: {
        parameters: {
            path: {
                organization_code: string;
            };
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
                content: {
                    "application/json": components["schemas"]["SlaPolicy"];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["ListedRecord"][];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["RecordCopy"][];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["Provider"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProviderAPI: {
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Provider"];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["ApiKey"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createApiKeyAPI: {
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
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    revokeApiKeyAPI: {
        parameters: {
            path: {
                key_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    getUserListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["User"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getUserBelongingsAPI: {
        parameters: {
            path: {
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Belongings"];
                };
            };
        };
    };
    handOverBelongingsAPI: {
        parameters: {
            path: {
                user_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    to_user_id: string;
                    ids?: string[] | undefined;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Belongings"];
                };
            };
        };
    };
    deactivateUserAPI: {
        parameters: {
            path: {
                user_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    getSessionListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["UserSession"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    revokeSessionAPI: {
        parameters: {
            path: {
                session_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    getInvitationListAPI: {
        parameters: {
            query?: {
                limit?: number | undefined;
                cursor?: string | undefined;
            } | undefined;
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["Invitation"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createInvitationAPI: {
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
                content: {
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
        };
    };
    revokeInvitationAPI: {
        parameters: {
            path: {
                invitation_id: string;
            };
        };
        responses: {
            204: {
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["AuditEntry"][];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Overview"];
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
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        items: components["schemas"]["ClaimMapping"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createClaimMappingAPI: {
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
                content: {
                    "application/json": components["schemas"]["ClaimMapping"];
                };
            };
        };
    };
    deleteClaimMappingAPI: {
        parameters: {
            path: {
                mapping_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
}
