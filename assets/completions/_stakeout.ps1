
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'stakeout' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'stakeout'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'stakeout' {
            [CompletionResult]::new('--stdio', '--stdio', [CompletionResultType]::ParameterName, 'Start this command line as a server; split by POSIX quoting, without a shell')
            [CompletionResult]::new('--env', '--env', [CompletionResultType]::ParameterName, 'A variable for --stdio''s server, beside the inherited ones')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'A header for --url''s server')
            [CompletionResult]::new('--mcp-config', '--mcp-config', [CompletionResultType]::ParameterName, 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own')
            [CompletionResult]::new('--connect-timeout', '--connect-timeout', [CompletionResultType]::ParameterName, 'How long connecting may take, over an entry''s own timeout [default: 30s]')
            [CompletionResult]::new('--ascii', '--ascii', [CompletionResultType]::ParameterName, 'Draw the screen with ASCII alone, as where the locale has nothing else')
            [CompletionResult]::new('--discover', '--discover', [CompletionResultType]::ParameterName, 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode')
            [CompletionResult]::new('--trust', '--trust', [CompletionResultType]::ParameterName, 'Approve the servers of the project''s files and of the spec, for this once')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Wait until a tool''s output says what you are waiting for')
            [CompletionResult]::new('call', 'call', [CompletionResultType]::ParameterValue, 'Call a tool once, and print its observation; exit code 1 on a tool error')
            [CompletionResult]::new('tools', 'tools', [CompletionResultType]::ParameterValue, 'List a server''s tools')
            [CompletionResult]::new('servers', 'servers', [CompletionResultType]::ParameterValue, 'List the servers, and where they come from')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the saved waits and the recordings')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Validate a spec: is it portable, what does it need, what is odd about it')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Play back a recording; with a condition, say what the wait would have come to')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Be an MCP server whose tool wait_for waits, for agents')
            [CompletionResult]::new('demo-server', 'demo-server', [CompletionResultType]::ParameterValue, 'Be the demo server, over stdin and stdout')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print what completes this command line in a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page of stakeout, or of one of its commands')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'stakeout;run' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Which server''s tool; needed only where it isn''t clear')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'The tool to sample')
            [CompletionResult]::new('--args', '--args', [CompletionResultType]::ParameterName, 'The arguments: a JSON object, @FILE, or - for standard input')
            [CompletionResult]::new('--arg', '--arg', [CompletionResultType]::ParameterName, 'One argument: K=V is a string, K:=JSON is anything else')
            [CompletionResult]::new('--matches', '--matches', [CompletionResultType]::ParameterName, 'Stop when the output matches this regex')
            [CompletionResult]::new('--not-matches', '--not-matches', [CompletionResultType]::ParameterName, 'Stop when the output no longer matches this regex')
            [CompletionResult]::new('--quiet-for', '--quiet-for', [CompletionResultType]::ParameterName, 'Stop when the output has not changed for this long')
            [CompletionResult]::new('--fail-when', '--fail-when', [CompletionResultType]::ParameterName, 'Stop with exit code 1 when the output matches this regex')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'What this regex matches is left out when outputs are compared')
            [CompletionResult]::new('--tool-errors', '--tool-errors', [CompletionResultType]::ParameterName, 'What a tool error may do: guard, observe or fail [default: guard]')
            [CompletionResult]::new('--poll', '--poll', [CompletionResultType]::ParameterName, 'From the end of one sample to the start of the next [default: 2s]')
            [CompletionResult]::new('--max-wait', '--max-wait', [CompletionResultType]::ParameterName, 'The budget; over 300s is clamped to 300s [default: 120s]')
            [CompletionResult]::new('--rounds', '--rounds', [CompletionResultType]::ParameterName, 'How many budgets may follow one another; only a timeout starts the next [default: 1]')
            [CompletionResult]::new('--retry-errors', '--retry-errors', [CompletionResultType]::ParameterName, 'How many failed samples in a row are tolerated [default: 0]')
            [CompletionResult]::new('--probe-timeout', '--probe-timeout', [CompletionResultType]::ParameterName, 'How long one sample may take')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'What stdout gets: json (the result), jsonl (every event as it happens), text (the last observation), aura (server-sent events in AURA''s words) or none')
            [CompletionResult]::new('--record', '--record', [CompletionResultType]::ParameterName, 'Record the wait to this new file alone, instead of one among the recordings')
            [CompletionResult]::new('--stdio', '--stdio', [CompletionResultType]::ParameterName, 'Start this command line as a server; split by POSIX quoting, without a shell')
            [CompletionResult]::new('--env', '--env', [CompletionResultType]::ParameterName, 'A variable for --stdio''s server, beside the inherited ones')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'A header for --url''s server')
            [CompletionResult]::new('--mcp-config', '--mcp-config', [CompletionResultType]::ParameterName, 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own')
            [CompletionResult]::new('--connect-timeout', '--connect-timeout', [CompletionResultType]::ParameterName, 'How long connecting may take, over an entry''s own timeout [default: 30s]')
            [CompletionResult]::new('--no-record', '--no-record', [CompletionResultType]::ParameterName, 'Don''t record the wait')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on stderr')
            [CompletionResult]::new('--discover', '--discover', [CompletionResultType]::ParameterName, 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode')
            [CompletionResult]::new('--trust', '--trust', [CompletionResultType]::ParameterName, 'Approve the servers of the project''s files and of the spec, for this once')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'stakeout;call' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Which server''s tool; needed only where it isn''t clear')
            [CompletionResult]::new('--args', '--args', [CompletionResultType]::ParameterName, 'The arguments: a JSON object, @FILE, or - for standard input')
            [CompletionResult]::new('--arg', '--arg', [CompletionResultType]::ParameterName, 'One argument: K=V is a string, K:=JSON is anything else')
            [CompletionResult]::new('--probe-timeout', '--probe-timeout', [CompletionResultType]::ParameterName, 'How long the call may take')
            [CompletionResult]::new('--stdio', '--stdio', [CompletionResultType]::ParameterName, 'Start this command line as a server; split by POSIX quoting, without a shell')
            [CompletionResult]::new('--env', '--env', [CompletionResultType]::ParameterName, 'A variable for --stdio''s server, beside the inherited ones')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'A header for --url''s server')
            [CompletionResult]::new('--mcp-config', '--mcp-config', [CompletionResultType]::ParameterName, 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own')
            [CompletionResult]::new('--connect-timeout', '--connect-timeout', [CompletionResultType]::ParameterName, 'How long connecting may take, over an entry''s own timeout [default: 30s]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as it came, not as it is observed')
            [CompletionResult]::new('--discover', '--discover', [CompletionResultType]::ParameterName, 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode')
            [CompletionResult]::new('--trust', '--trust', [CompletionResultType]::ParameterName, 'Approve the servers of the project''s files and of the spec, for this once')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'stakeout;tools' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server, said as `run` and `call` take it')
            [CompletionResult]::new('--stdio', '--stdio', [CompletionResultType]::ParameterName, 'Start this command line as a server; split by POSIX quoting, without a shell')
            [CompletionResult]::new('--env', '--env', [CompletionResultType]::ParameterName, 'A variable for --stdio''s server, beside the inherited ones')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'A header for --url''s server')
            [CompletionResult]::new('--mcp-config', '--mcp-config', [CompletionResultType]::ParameterName, 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own')
            [CompletionResult]::new('--connect-timeout', '--connect-timeout', [CompletionResultType]::ParameterName, 'How long connecting may take, over an entry''s own timeout [default: 30s]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the tools with their schemas')
            [CompletionResult]::new('--discover', '--discover', [CompletionResultType]::ParameterName, 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode')
            [CompletionResult]::new('--trust', '--trust', [CompletionResultType]::ParameterName, 'Approve the servers of the project''s files and of the spec, for this once')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'stakeout;servers' {
            [CompletionResult]::new('--stdio', '--stdio', [CompletionResultType]::ParameterName, 'Start this command line as a server; split by POSIX quoting, without a shell')
            [CompletionResult]::new('--env', '--env', [CompletionResultType]::ParameterName, 'A variable for --stdio''s server, beside the inherited ones')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'A header for --url''s server')
            [CompletionResult]::new('--mcp-config', '--mcp-config', [CompletionResultType]::ParameterName, 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own')
            [CompletionResult]::new('--connect-timeout', '--connect-timeout', [CompletionResultType]::ParameterName, 'How long connecting may take, over an entry''s own timeout [default: 30s]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('--discover', '--discover', [CompletionResultType]::ParameterName, 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode')
            [CompletionResult]::new('--trust', '--trust', [CompletionResultType]::ParameterName, 'Approve the servers of the project''s files and of the spec, for this once')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'stakeout;list' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'stakeout;check' {
            [CompletionResult]::new('--stdio', '--stdio', [CompletionResultType]::ParameterName, 'Start this command line as a server; split by POSIX quoting, without a shell')
            [CompletionResult]::new('--env', '--env', [CompletionResultType]::ParameterName, 'A variable for --stdio''s server, beside the inherited ones')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'A header for --url''s server')
            [CompletionResult]::new('--mcp-config', '--mcp-config', [CompletionResultType]::ParameterName, 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own')
            [CompletionResult]::new('--connect-timeout', '--connect-timeout', [CompletionResultType]::ParameterName, 'How long connecting may take, over an entry''s own timeout [default: 30s]')
            [CompletionResult]::new('--discover', '--discover', [CompletionResultType]::ParameterName, 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode')
            [CompletionResult]::new('--trust', '--trust', [CompletionResultType]::ParameterName, 'Approve the servers of the project''s files and of the spec, for this once')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'stakeout;replay' {
            [CompletionResult]::new('--matches', '--matches', [CompletionResultType]::ParameterName, 'Stop when the output matches this regex')
            [CompletionResult]::new('--not-matches', '--not-matches', [CompletionResultType]::ParameterName, 'Stop when the output no longer matches this regex')
            [CompletionResult]::new('--quiet-for', '--quiet-for', [CompletionResultType]::ParameterName, 'Stop when the output has not changed for this long')
            [CompletionResult]::new('--fail-when', '--fail-when', [CompletionResultType]::ParameterName, 'Stop with exit code 1 when the output matches this regex')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'What this regex matches is left out when outputs are compared')
            [CompletionResult]::new('--tool-errors', '--tool-errors', [CompletionResultType]::ParameterName, 'What a tool error may do: guard, observe or fail [default: guard]')
            [CompletionResult]::new('--speed', '--speed', [CompletionResultType]::ParameterName, 'How fast events are told: 1 is as they happened, 2 twice as fast [default: at once]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'What stdout gets: jsonl (every event; the default), json (the result; the default with a condition), text (the last observation), aura (AURA''s events) or none')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on stderr')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'stakeout;serve' {
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Let this tool be probed though it doesn''t say that it only reads; globs, such as ''ci/get_*''')
            [CompletionResult]::new('--default-max-wait', '--default-max-wait', [CompletionResultType]::ParameterName, 'The budget of a wait whose caller doesn''t say; at most the cap [default: 120s]')
            [CompletionResult]::new('--max-wait-cap', '--max-wait-cap', [CompletionResultType]::ParameterName, 'The longest that one call may wait, for hosts that cut off longer ones; at most 300s [default: 300s]')
            [CompletionResult]::new('--max-waits', '--max-waits', [CompletionResultType]::ParameterName, 'How many waits may run at once, at most 1000')
            [CompletionResult]::new('--record', '--record', [CompletionResultType]::ParameterName, 'Record every wait, in this folder or where waits are recorded anyway')
            [CompletionResult]::new('--http', '--http', [CompletionResultType]::ParameterName, 'Serve over streamable HTTP, at /mcp, instead of stdin and stdout; beyond this machine only with a token, from STAKEOUT_TOKEN or --token-file')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'A file with the token that callers must bring, over STAKEOUT_TOKEN')
            [CompletionResult]::new('--allow-host', '--allow-host', [CompletionResultType]::ParameterName, 'A name under which this server is reached, beside localhost; where any is given, others are refused')
            [CompletionResult]::new('--allow-origin', '--allow-origin', [CompletionResultType]::ParameterName, 'An origin whose web pages may call, such as https://app.example.com')
            [CompletionResult]::new('--stdio', '--stdio', [CompletionResultType]::ParameterName, 'Start this command line as a server; split by POSIX quoting, without a shell')
            [CompletionResult]::new('--env', '--env', [CompletionResultType]::ParameterName, 'A variable for --stdio''s server, beside the inherited ones')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'A header for --url''s server')
            [CompletionResult]::new('--mcp-config', '--mcp-config', [CompletionResultType]::ParameterName, 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own')
            [CompletionResult]::new('--connect-timeout', '--connect-timeout', [CompletionResultType]::ParameterName, 'How long connecting may take, over an entry''s own timeout [default: 30s]')
            [CompletionResult]::new('--discover', '--discover', [CompletionResultType]::ParameterName, 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode')
            [CompletionResult]::new('--trust', '--trust', [CompletionResultType]::ParameterName, 'Approve the servers of the project''s files and of the spec, for this once')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell errors with their causes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'stakeout;demo-server' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'stakeout;completions' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'stakeout;man' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'stakeout;help' {
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Wait until a tool''s output says what you are waiting for')
            [CompletionResult]::new('call', 'call', [CompletionResultType]::ParameterValue, 'Call a tool once, and print its observation; exit code 1 on a tool error')
            [CompletionResult]::new('tools', 'tools', [CompletionResultType]::ParameterValue, 'List a server''s tools')
            [CompletionResult]::new('servers', 'servers', [CompletionResultType]::ParameterValue, 'List the servers, and where they come from')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the saved waits and the recordings')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Validate a spec: is it portable, what does it need, what is odd about it')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Play back a recording; with a condition, say what the wait would have come to')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Be an MCP server whose tool wait_for waits, for agents')
            [CompletionResult]::new('demo-server', 'demo-server', [CompletionResultType]::ParameterValue, 'Be the demo server, over stdin and stdout')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print what completes this command line in a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page of stakeout, or of one of its commands')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'stakeout;help;run' {
            break
        }
        'stakeout;help;call' {
            break
        }
        'stakeout;help;tools' {
            break
        }
        'stakeout;help;servers' {
            break
        }
        'stakeout;help;list' {
            break
        }
        'stakeout;help;check' {
            break
        }
        'stakeout;help;replay' {
            break
        }
        'stakeout;help;serve' {
            break
        }
        'stakeout;help;demo-server' {
            break
        }
        'stakeout;help;completions' {
            break
        }
        'stakeout;help;man' {
            break
        }
        'stakeout;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
