"""The one room that awaits: model clients, the reply cache, retries, the engine.

Nothing heavy is imported here; litellm comes with the first real call.
"""
